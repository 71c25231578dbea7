package dev.weir.bench.comparison;

import dev.weir.bench.report.SessionTable;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.SoftwareVersion;
import dev.weir.cluster.ClusterSpec;
import dev.weir.cluster.HadoopJars;
import dev.weir.cluster.LinkRate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of experiments that start a local cluster. */
public final class ClusterOptions {
  /** Few cores start many daemons slowly. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  @Option(
      names = "--link",
      paramLabel = "RATE",
      defaultValue = "100mbit",
      description = "Rate of every link (default: ${DEFAULT-VALUE}).")
  private String link = "100mbit";

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each is run (default: ${DEFAULT-VALUE}); what a series has counts.")
  private int repeat = 3;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "weir-bench/${COMMAND-NAME}",
      description = "Where tables, page and records go (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("weir-bench");

  @Mixin private SeriesOptions sittings = new SeriesOptions();

  /** For picocli. */
  public ClusterOptions() {}

  /** Whether a series is gone on with, and for how long. */
  public SeriesOptions sittings() {
    return sittings;
  }

  /**
   * What has to be the same for all runs of a series.
   *
   * @param own what the experiment adds
   * @throws IOException when a jar of the distribution cannot be read
   * @throws IllegalArgumentException when there would be no runs; the message says what to write
   */
  public SeriesParameters parameters(SeriesParameters own, int nodes) throws IOException {
    if (repeat < 1) {
      throw new IllegalArgumentException("--repeat is a number of repetitions: give 1 or more");
    }
    return SoftwareVersion.parameters(own, home())
        .with("nodes", nodes)
        .with("link", LinkRate.parse(link));
  }

  private static Path home() {
    return Path.of(System.getProperty("weir.home", "."));
  }

  /** Bytes a second of each link. */
  public double bytesPerSecond() {
    return LinkRate.parse(link).bitsPerSecond() / 8.0;
  }

  /** How often each is run. */
  public int repeat() {
    return repeat;
  }

  /** Where the results go. */
  public Path out() {
    return out;
  }

  /**
   * The cluster to start.
   *
   * @param nodes how many nodes besides the master
   * @param blockBytes size of the blocks of files that are written without one of their own; their
   *     packets are as small a part of HDFS's own
   * @throws IOException when the distribution is not there
   */
  public ClusterSpec cluster(int nodes, long blockBytes) throws IOException {
    HadoopJars jars = HadoopJars.ofDistribution(home());
    return patient(ClusterSpec.builder(jars))
        .nodes(nodes)
        .link(LinkRate.parse(link))
        .hintServices(0)
        .startTimeout(START_TIMEOUT)
        .configuration("dfs.blocksize", Long.toString(blockBytes))
        .configuration("dfs.namenode.fs-limits.min-block-size", Long.toString(BlockSize.LEAST))
        .configuration(
            HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY,
            Long.toString(BlockSize.packet(blockBytes)))
        // The files of a run are removed from all nodes at once, not from a third of them a second.
        .configuration("dfs.namenode.invalidate.work.pct.per.iteration", "1.0")
        .build();
  }

  /**
   * Has daemons wait longer for each other: few cores let many of them wait, and none is dead or
   * stale for that. Nor does each NodeManager read through the processes of all nodes, which one
   * machine has, every 3 s: that took a fifth of what the nodes take.
   *
   * @param spec the cluster
   * @return the same
   */
  public static ClusterSpec.Builder patient(ClusterSpec.Builder spec) {
    return spec.configuration("dfs.namenode.heartbeat.recheck-interval", "15000")
        .configuration("dfs.namenode.stale.datanode.interval", "30000")
        .configuration("yarn.nm.liveness-monitor.expiry-interval-ms", "60000")
        .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "60000")
        .configuration("yarn.nodemanager.resource-monitor.interval-ms", "30000");
  }

  /** Where and how it was measured, two sentences. */
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
