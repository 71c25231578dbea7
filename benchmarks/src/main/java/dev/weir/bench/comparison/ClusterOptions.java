package dev.weir.bench.comparison;

import dev.weir.bench.report.SessionTable;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.Session;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.LinkRate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of experiments that start a local cluster. */
public class ClusterOptions {
  /** The start of many daemons on few cores is slow. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  @Option(
      names = "--link",
      paramLabel = "RATE",
      defaultValue = "100mbit",
      description = "Rate of every link (default: ${DEFAULT-VALUE}).")
  private String link = "100mbit";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "weir-bench/${COMMAND-NAME}",
      description = "The directory of tables, page and records (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("weir-bench");

  @Mixin private SeriesOptions series = new SeriesOptions();

  /** Returns whether a series is resumed, and its time limits. */
  public SeriesOptions series() {
    return series;
  }

  public LinkRate link() {
    return LinkRate.parse(link);
  }

  /** Returns the rate of every link as the user wrote it. */
  public String linkText() {
    return link;
  }

  /** Returns the directory of the distribution. */
  public static Path home() {
    return Path.of(System.getProperty("weir.home", "."));
  }

  /** Returns the bytes per second of each link. */
  public double bytesPerSecond() {
    return link().bitsPerSecond() / 8.0;
  }

  /** Returns the directory of the results. */
  public Path out() {
    return out;
  }

  /**
   * Returns the specification of the cluster to start.
   *
   * @param nodes the number of nodes besides the master
   * @param blockBytes the default block size; packets are scaled by the same factor
   * @throws IOException if the distribution is missing
   */
  public ClusterSpec cluster(int nodes, long blockBytes) throws IOException {
    return builder(nodes)
        .configuration("dfs.blocksize", Long.toString(blockBytes))
        .configuration(
            "dfs.namenode.fs-limits.min-block-size", Long.toString(BlockSize.CHECKSUM_BYTES))
        .configuration(
            HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY,
            Long.toString(BlockSize.packet(blockBytes)))
        // The files of a run are removed from all nodes at once, rather than from a third of them
        // per second.
        .configuration("dfs.namenode.invalidate.work.pct.per.iteration", "1.0")
        .build();
  }

  /**
   * Returns the properties that the clusters of all experiments share.
   *
   * @throws IOException if the distribution is missing
   */
  public ClusterSpec.Builder builder(int nodes) throws IOException {
    return withRelaxedTimeouts(ClusterSpec.builder(HadoopJars.ofDistribution(home())))
        .nodes(nodes)
        .link(link())
        .hintServices(0)
        .startTimeout(START_TIMEOUT);
  }

  /**
   * Relaxes timeouts, because daemons that wait for one of few cores are neither dead nor stale.
   * Also switches off the NodeManagers' scan of all processes of the machine every 3 s, which used
   * a fifth of the nodes' processor time.
   *
   * @return the same builder
   */
  public static ClusterSpec.Builder withRelaxedTimeouts(ClusterSpec.Builder spec) {
    return spec.configuration("dfs.namenode.heartbeat.recheck-interval", "15000")
        .configuration("dfs.namenode.stale.datanode.interval", "30000")
        .configuration("yarn.nm.liveness-monitor.expiry-interval-ms", "60000")
        .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "60000")
        .configuration("yarn.nodemanager.resource-monitor.interval-ms", "30000");
  }

  /** Returns the conditions of the measurement, in two sentences. */
  public String about(int nodes, List<Session> sessions) {
    return nodes
        + " nodes with links of "
        + link
        + ", in an order drawn anew for each repetition, "
        + SessionTable.when(sessions)
        + " "
        + Runtime.getRuntime().availableProcessors()
        + " processors.";
  }
}
