package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** The option that chooses the Hadoop cluster of a command. */
public final class ClientConfiguration {
  @Option(
      names = "--cluster",
      paramLabel = "DIR",
      description =
          "Directory of a local cluster (default: the cluster of HADOOP_CONF_DIR, else the only"
              + " running local cluster).")
  private @Nullable Path cluster;

  /**
   * Returns the configuration of the cluster's clients.
   *
   * @throws ClusterException if none is named and several local clusters run
   */
  public Configuration load() throws IOException {
    return load(ClusterChoice::foundOrListed);
  }

  /**
   * Returns the configuration of the cluster's clients, for a command that may be told by other
   * means where servers are. If several local clusters run, it is the configuration of none.
   */
  public Configuration loadIfClear() throws IOException {
    return load(ClusterChoice::found);
  }

  /** Chooses one of the local clusters. */
  private interface Choice {
    Optional<Path> of(List<Path> known, Predicate<Path> running) throws ClusterException;
  }

  private Configuration load(Choice choice) throws IOException {
    // Otherwise all configuration files are read again when HDFS is first used.
    HdfsConfiguration.init();
    if (cluster != null) {
      return of(cluster);
    }
    String named = System.getenv("HADOOP_CONF_DIR");
    if (named != null) {
      requireDirectory(named);
      return new YarnConfiguration();
    }
    Optional<Path> meant = choice.of(LocalCluster.known(), ClusterChoice::isRunning);
    return meant.isPresent() ? of(meant.get()) : new YarnConfiguration();
  }

  /**
   * Returns the configuration of the cluster's clients, after starting a local cluster if there is
   * none to choose.
   *
   * @param err shows the progress of the start
   */
  public Configuration loadOrStart(PrintWriter err) throws IOException {
    boolean chosen = cluster != null || System.getenv("HADOOP_CONF_DIR") != null;
    if (chosen || LocalCluster.known().stream().anyMatch(ClusterChoice::isRunning)) {
      return load();
    }
    try (ProgressLine progress = new ProgressLine(err, Ansi.AUTO.enabled())) {
      LocalCluster started =
          LocalCluster.start(
              ClusterSpec.builder(DistributionJars.locate()).keepRunning(true).build(), progress);
      cluster = started.dir();
    }
    err.println("Started a local cluster in " + cluster + "; 'weir cluster stop' removes it");
    err.flush();
    return load();
  }

  /** Hadoop ignores a missing directory, and would use the local file system. */
  static void requireDirectory(String named) throws ClusterException {
    if (!Files.isDirectory(Path.of(named))) {
      throw new ClusterException(
          "HADOOP_CONF_DIR is " + named + ", which is not a directory: correct it, or unset it");
    }
  }

  @SuppressWarnings("try") // closing it would stop the cluster
  private static Configuration of(Path directory) throws IOException {
    return LocalCluster.attach(directory).configuration();
  }
}
