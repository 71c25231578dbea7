package dev.weir.workflow.estimate;

import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cluster that an estimate assumes.
 *
 * @param nodes host names of its nodes, each of which stores files
 * @param workers number of workers, which are spread evenly over the nodes
 * @param rates how fast it moves bytes and handles tasks
 * @param storage how HDFS stores files
 */
public record EstimateCluster(
    List<String> nodes, int workers, WorkerSize worker, ClusterRates rates, Storage storage) {

  /**
   * Validates the numbers and copies the list.
   *
   * @throws IllegalArgumentException if a number is less than 1, or there is no node
   */
  public EstimateCluster {
    nodes = List.copyOf(nodes);
    // Estimates know no dedicated workers.
    worker = new WorkerSize(worker.cores(), worker.memoryBytes(), worker.ahead());
    if (nodes.isEmpty() || workers < 1) {
      throw new IllegalArgumentException(
          "An estimate for "
              + nodes.size()
              + " nodes, "
              + workers
              + " workers: give 1 or more of each");
    }
  }

  /**
   * How HDFS stores files.
   *
   * @param replication replicas of a file without a hint
   * @param blockBytes size of a block
   */
  public record Storage(int replication, long blockBytes) {

    /**
     * Validates the numbers.
     *
     * @throws IllegalArgumentException if one is less than 1
     */
    public Storage {
      if (replication < 1 || blockBytes < 1) {
        throw new IllegalArgumentException(
            "Files have "
                + replication
                + " replicas and blocks of "
                + blockBytes
                + ": give 1 or more");
      }
    }
  }

  /**
   * Returns host names for a number of nodes.
   *
   * @param number how many
   */
  public static List<String> names(int number) {
    return IntStream.range(0, number).mapToObj(node -> "node-" + node).toList();
  }

  int replicas(int wanted) {
    return Math.max(1, Math.min(wanted, nodes.size()));
  }
}
