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
 * Waits until a cluster is idle, so that work left over by one run does not slow down the next. Not
 * thread-safe.
 */
public final class ClusterQuiescence implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 250;

  /** FSNamesystem has the same counts, but those metrics are up to ten seconds old. */
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
   * Connects to the cluster's ResourceManager.
   *
   * @param cluster a running cluster
   */
  public ClusterQuiescence(LocalCluster cluster) {
    this.cluster = cluster;
    this.yarn = YarnClient.createYarnClient();
    yarn.init(cluster.configuration());
    yarn.start();
  }

  /**
   * Waits until no block is pending replication or deletion and no container is allocated.
   *
   * @throws IOException if the cluster is not idle after two minutes; the message names what is
   *     pending
   */
  public void await() throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    String pending = pending();
    while (!pending.isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "The cluster is still busy after " + LIMIT.toSeconds() + " s: " + pending);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      pending = pending();
    }
  }

  private String pending() throws IOException {
    StringBuilder pending = new StringBuilder();
    JsonNode values = cluster.jmx("namenode", BLOCKS).path(0);
    for (String count : BLOCK_WORK) {
      JsonNode value = values.path(count);
      if (!value.isNumber()) {
        throw new IOException("The NameNode does not report " + count + " (" + BLOCKS + ")");
      }
      if (value.asLong() != 0) {
        pending.append(count).append(' ').append(value.asLong()).append(' ');
      }
    }
    int containers = containers();
    if (containers != 0) {
      pending.append("containers ").append(containers);
    }
    return pending.toString().strip();
  }

  private int containers() throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .mapToInt(NodeReport::getNumContainers)
          .sum();
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not report its nodes: " + e.getMessage(), e);
    }
  }

  /** Closes the connection to the ResourceManager. The cluster keeps running. */
  @Override
  public void close() {
    yarn.stop();
  }
}
