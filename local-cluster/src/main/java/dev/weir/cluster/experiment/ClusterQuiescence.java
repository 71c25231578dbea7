package dev.weir.cluster.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Waits until a cluster has nothing left to do, so that a run does not pay for the one before. Not
 * for several threads at once.
 */
public final class ClusterQuiescence implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 250;

  /** Not FSNamesystem, which has the same counts: metrics are ten seconds old. */
  private static final String BLOCKS = "Hadoop:service=NameNode,name=FSNamesystemState";

  private static final List<String> BLOCK_WORK =
      List.of(
          "LowRedundancyBlocks",
          "PendingReconstructionBlocks",
          "ScheduledReplicationBlocks",
          "PendingDeletionBlocks");

  private final LocalCluster cluster;
  private final YarnClient yarn;

  /**
   * Connects to a cluster's YARN.
   *
   * @param cluster running
   */
  public ClusterQuiescence(LocalCluster cluster) {
    this.cluster = cluster;
    this.yarn = YarnClient.createYarnClient();
    yarn.init(cluster.configuration());
    yarn.start();
  }

  /**
   * Waits until no block is to be copied or deleted and no container is held.
   *
   * @throws IOException when that is not so after two minutes; the message names what is left
   * @throws InterruptedException when the thread is interrupted
   */
  public void await() throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    String left = left();
    while (!left.isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "The cluster has not come to rest in " + LIMIT.toSeconds() + " s: " + left);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      left = left();
    }
  }

  private String left() throws IOException {
    StringBuilder left = new StringBuilder();
    JsonNode values = cluster.jmx("namenode", BLOCKS).path(0);
    for (String count : BLOCK_WORK) {
      JsonNode value = values.path(count);
      if (!value.isNumber()) {
        throw new IOException("The NameNode does not tell its " + count + " (" + BLOCKS + ")");
      }
      if (value.asLong() != 0) {
        left.append(count).append(' ').append(value.asLong()).append(' ');
      }
    }
    int containers = containers();
    if (containers != 0) {
      left.append("containers ").append(containers);
    }
    return left.toString().strip();
  }

  private int containers() throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .mapToInt(NodeReport::getNumContainers)
          .sum();
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not tell its nodes: " + e.getMessage(), e);
    }
  }

  /** Ends the connection to YARN; the cluster goes on. */
  @Override
  public void close() {
    yarn.stop();
  }
}
