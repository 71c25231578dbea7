package dev.weir.workflow.infer;

/**
 * The properties of a cluster that the inference of hints uses.
 *
 * @param nodes number of nodes that hold data and run tasks, at least 1
 * @param defaultReplication replicas that stock HDFS makes of a file, at least 1
 * @param freeBytes free bytes in HDFS on all nodes together, at least 0; {@link #UNBOUNDED} if
 *     unknown
 * @param memoryBytes bytes that the DataNodes together may still lock in memory, at least 0. It
 *     serves tasks that read from HDFS each time. It is 0 if unknown, and where tasks reread files
 *     from their node's cache.
 * @param fetching how tasks read files that are not on their node
 */
public record ClusterShape(
    int nodes, int defaultReplication, long freeBytes, long memoryBytes, FetchModel fetching) {

  /** No known limit on the room for copies. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /**
   * Copies use at most this fraction of the free space, and pins at most this fraction of the
   * memory.
   */
  private static final int PARTS_OF_FREE = 2;

  /**
   * Creates a cluster with unlimited disk space and links of unknown speed. Its nodes cache files
   * that several tasks read, and its DataNodes pin no files in memory.
   *
   * @param nodes number of nodes that hold data and run tasks, at least 1
   * @param defaultReplication replicas that stock HDFS makes of a file, at least 1
   */
  public ClusterShape(int nodes, int defaultReplication) {
    this(nodes, defaultReplication, UNBOUNDED, 0, FetchModel.USUAL);
  }

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is too small
   */
  public ClusterShape {
    if (freeBytes < 0) {
      throw new IllegalArgumentException(
          "A cluster has " + freeBytes + " bytes free: give 0 or more");
    }
    if (memoryBytes < 0) {
      throw new IllegalArgumentException(
          "DataNodes may lock " + memoryBytes + " bytes in memory: give 0 or more");
    }
    if (nodes < 1 || defaultReplication < 1) {
      throw new IllegalArgumentException(
          "A cluster of "
              + nodes
              + " nodes and a default replication of "
              + defaultReplication
              + " does not exist: both are at least 1");
    }
  }

  /**
   * Returns a copy with another way of fetching.
   *
   * @param other how tasks read files that are not on their node
   */
  public ClusterShape with(FetchModel other) {
    return new ClusterShape(nodes, defaultReplication, freeBytes, memoryBytes, other);
  }

  /** Returns how many copies of files of the given total size fit into the free space. */
  int copiesWithRoom(double bytes) {
    double room = (double) freeBytes / PARTS_OF_FREE;
    return (int) Math.min(Integer.MAX_VALUE, room / Math.max(1, bytes));
  }

  /** Returns whether DataNodes can pin files in memory. */
  boolean hasMemory() {
    return memoryBytes > 0;
  }

  /**
   * Returns whether the DataNodes have memory to pin files. One node pins one replica of each.
   *
   * @param largest bytes of the largest file
   * @param all bytes of all files together
   */
  boolean hasMemoryFor(double largest, double all) {
    double room = (double) memoryBytes / PARTS_OF_FREE;
    return all <= room && largest <= room / nodes;
  }

  /** Returns the replicas of a file in stock HDFS, where no node holds two. */
  int stockReplicas() {
    return Math.min(nodes, defaultReplication);
  }
}
