package dev.weir.workflow.infer;

/**
 * What the inference wants to know of the cluster.
 *
 * @param nodes how many nodes hold data and run tasks, at least 1
 * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
 * @param freeBytes what HDFS has free on all nodes together, at least 0; {@link #UNBOUNDED} where
 *     nobody knows
 */
public record ClusterShape(int nodes, int defaultReplication, long freeBytes) {

  /** There is room for any number of copies, as far as is known. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** Of what is free copies take no more than one part in so many. */
  private static final int PARTS_OF_FREE = 2;

  /**
   * A cluster with room for everything.
   *
   * @param nodes how many nodes hold data and run tasks, at least 1
   * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
   */
  public ClusterShape(int nodes, int defaultReplication) {
    this(nodes, defaultReplication, UNBOUNDED);
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
    if (nodes < 1 || defaultReplication < 1) {
      throw new IllegalArgumentException(
          "A cluster of "
              + nodes
              + " nodes and a default replication of "
              + defaultReplication
              + " does not exist: both are at least 1");
    }
  }

  /** How many copies there is room for of files with so many bytes in all. */
  int copiesWithRoom(double bytes) {
    double room = (double) freeBytes / PARTS_OF_FREE;
    return (int) Math.min(Integer.MAX_VALUE, room / Math.max(1, bytes));
  }

  /** What stock HDFS ends up with: no node holds a second replica. */
  int stockReplicas() {
    return Math.min(nodes, defaultReplication);
  }
}
