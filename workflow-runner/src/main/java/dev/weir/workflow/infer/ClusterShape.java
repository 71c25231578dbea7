package dev.weir.workflow.infer;

/**
 * What the inference wants to know of the cluster.
 *
 * @param nodes how many nodes hold data and run tasks, at least 1
 * @param defaultReplication how many replicas stock HDFS makes of a file, at least 1
 */
public record ClusterShape(int nodes, int defaultReplication) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when one of them is less than 1
   */
  public ClusterShape {
    if (nodes < 1 || defaultReplication < 1) {
      throw new IllegalArgumentException(
          "A cluster of "
              + nodes
              + " nodes and a default replication of "
              + defaultReplication
              + " does not exist: both are at least 1");
    }
  }

  /** What stock HDFS ends up with: no node holds a second replica. */
  int stockReplicas() {
    return Math.min(nodes, defaultReplication);
  }
}
