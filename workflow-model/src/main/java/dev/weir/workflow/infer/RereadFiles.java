package dev.weir.workflow.infer;

/**
 * Decides whether a DataNode pins files in memory that several tasks read one after another on one
 * node. A pure function of the class and the cluster.
 *
 * <p>Pinning reads a file once more and reduces the free memory of its node. It saves disk reads on
 * the one node that pins the file, from the second reading there on, if the page cache would have
 * evicted the file meanwhile. The k readers run on the nodes of r replicas, so pinning saves k/r -
 * 1 readings. So it pays for more than 2·r readers.
 */
final class RereadFiles {

  /** Readings per replica up to which a pin does not pay. */
  private static final int MIN_READINGS = 2;

  /**
   * The smallest average file, in bytes. Reading a smaller one costs calls rather than disk time,
   * and each pin is a directive in the NameNode.
   */
  private static final long MIN_BYTES = 1 << 20;

  private final ClusterShape shape;
  private final FileClass files;

  /**
   * @param files files whose readers can only run one after another
   */
  RereadFiles(ClusterShape shape, FileClass files) {
    this.shape = shape;
    this.files = files;
  }

  /**
   * Returns whether each file has enough readers for a pin to pay.
   *
   * @param replicas replicas of each file while it is read, at least 1
   */
  boolean isReused(int replicas) {
    return files.readersEach() > MIN_READINGS * replicas;
  }

  /**
   * Returns whether a DataNode pins the files.
   *
   * @param replicas replicas of each file while it is read, at least 1
   */
  boolean pins(int replicas) {
    return isReused(replicas) && shape.hasMemory() && !isTooSmall() && !isTooLarge();
  }

  /**
   * Returns the reason for or against a pin, as the end of a sentence.
   *
   * @param replicas replicas of each file while it is read, at least 1
   * @return empty if pins are not considered
   */
  String pinReason(int replicas) {
    if (!isReused(replicas) || !shape.hasMemory()) {
      return "";
    }
    if (isTooSmall()) {
      return ", too small for a pin in memory to pay";
    }
    return isTooLarge()
        ? ", but more than half of what DataNodes may pin in memory"
        : ", where a DataNode pins it in memory for tasks that read it from HDFS";
  }

  private boolean isTooSmall() {
    return files.bytesEach() < MIN_BYTES;
  }

  private boolean isTooLarge() {
    return !shape.hasMemoryFor(files.bytesOfLargest(), files.bytes());
  }
}
