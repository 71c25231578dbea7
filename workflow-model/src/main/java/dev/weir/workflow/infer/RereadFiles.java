package dev.weir.workflow.infer;

/**
 * Files that are read again and again on one node: by several tasks that can only run one after
 * another. Whether a DataNode is to pin them in memory for that. A pure function of the class and
 * the cluster.
 *
 * <p>Pinning reads a file once more, and its node then has that much less memory. What it spares is
 * readings from the disk of the one node that pins it, from the second reading there on, as far as
 * that node would have forgotten the file meanwhile. With k readers, which run where one of r
 * replicas is, these are k/r - 1; so it pays for more than 2·r readers.
 */
final class RereadFiles {

  /** Readings for each replica that do not pay for one more. */
  private static final int READINGS = 2;

  /**
   * Bytes of a file on average. To read a smaller one is a matter of calls, not of a disk, and each
   * pin is a directive in the NameNode.
   */
  private static final long LEAST_BYTES = 1 << 20;

  private final ClusterShape shape;
  private final FileClass files;

  /**
   * For these files, in this cluster.
   *
   * @param files with readers that can only run one after another
   */
  RereadFiles(ClusterShape shape, FileClass files) {
    this.shape = shape;
    this.files = files;
  }

  /**
   * Whether so many read each of them that it is worth the name, and a pin.
   *
   * @param replicas on how many nodes each of them is while it is read, at least 1
   */
  boolean happens(int replicas) {
    return files.readersEach() > READINGS * replicas;
  }

  /**
   * Whether a DataNode is to pin them.
   *
   * @param replicas on how many nodes each of them is while it is read, at least 1
   */
  boolean pins(int replicas) {
    return happens(replicas) && shape.hasMemory() && !isTooSmall() && !isTooLarge();
  }

  /**
   * What becomes of a pin, as the end of a sentence.
   *
   * @param replicas on how many nodes each of them is while it is read, at least 1
   * @return empty when there is nothing to say
   */
  String whatOfPin(int replicas) {
    if (!happens(replicas) || !shape.hasMemory()) {
      return "";
    }
    if (isTooSmall()) {
      return ", too small for a pin in memory to pay";
    }
    return isTooLarge()
        ? ", but more than half of what DataNodes may pin in memory"
        : ", where a DataNode pins it in memory for those that read it from HDFS";
  }

  private boolean isTooSmall() {
    return files.bytesEach() < LEAST_BYTES;
  }

  private boolean isTooLarge() {
    return !shape.hasMemoryFor(files.bytesOfLargest(), files.bytes());
  }
}
