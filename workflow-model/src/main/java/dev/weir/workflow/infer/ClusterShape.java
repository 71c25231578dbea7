package dev.weir.workflow.infer;

/**
 * What the inference wants to know of the cluster.
 *
 * @param nodes how many nodes hold data and run tasks, at least 1
 * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
 * @param freeBytes what HDFS has free on all nodes together, at least 0; {@link #UNBOUNDED} where
 *     nobody knows
 * @param memoryBytes what DataNodes may still lock in memory, all nodes together, for tasks that
 *     read from HDFS each time, at least 0; 0 also where nobody knows, and where tasks read again
 *     what their node keeps of its own accord
 * @param fetching how tasks come to what is not on their node
 */
public record ClusterShape(
    int nodes, int defaultReplication, long freeBytes, long memoryBytes, FetchModel fetching) {

  /** There is room for any number of copies, as far as is known. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** Of what is free copies take no more than one part in so many, and so do pins of memory. */
  private static final int PARTS_OF_FREE = 2;

  /**
   * A cluster with room for everything on its disks, whose DataNodes pin nothing.
   *
   * @param nodes how many nodes hold data and run tasks, at least 1
   * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
   */
  public ClusterShape(int nodes, int defaultReplication) {
    this(nodes, defaultReplication, UNBOUNDED);
  }

  /**
   * A cluster whose DataNodes pin nothing.
   *
   * @param nodes how many nodes hold data and run tasks, at least 1
   * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
   * @param freeBytes what HDFS has free on all nodes together, at least 0
   */
  public ClusterShape(int nodes, int defaultReplication, long freeBytes) {
    this(nodes, defaultReplication, freeBytes, 0);
  }

  /**
   * A cluster of whose links nothing is known, and whose nodes keep what several tasks read.
   *
   * @param nodes how many nodes hold data and run tasks, at least 1
   * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
   * @param freeBytes what HDFS has free on all nodes together, at least 0
   * @param memoryBytes what DataNodes may still lock in memory, at least 0
   */
  public ClusterShape(int nodes, int defaultReplication, long freeBytes, long memoryBytes) {
    this(nodes, defaultReplication, freeBytes, memoryBytes, FetchModel.USUAL);
  }

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when one of them is too small
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
   * The same with tasks that come otherwise to what is not on their node.
   *
   * @param other how they do
   */
  public ClusterShape with(FetchModel other) {
    return new ClusterShape(nodes, defaultReplication, freeBytes, memoryBytes, other);
  }

  /** How many copies there is room for of files with so many bytes in all. */
  int copiesWithRoom(double bytes) {
    double room = (double) freeBytes / PARTS_OF_FREE;
    return (int) Math.min(Integer.MAX_VALUE, room / Math.max(1, bytes));
  }

  /** Whether DataNodes pin anything. */
  boolean hasMemory() {
    return memoryBytes > 0;
  }

  /**
   * Whether there is memory to pin files in, of each of which one node pins one replica.
   *
   * @param largest bytes of the largest
   * @param all bytes of all of them
   */
  boolean hasMemoryFor(double largest, double all) {
    double room = (double) memoryBytes / PARTS_OF_FREE;
    return all <= room && largest <= room / nodes;
  }

  /** What stock HDFS ends up with: no node holds a second replica. */
  int stockReplicas() {
    return Math.min(nodes, defaultReplication);
  }
}
