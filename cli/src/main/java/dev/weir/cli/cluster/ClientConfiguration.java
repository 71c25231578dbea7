package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
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

  /** For picocli. */
  public ClientConfiguration() {}

  /** Returns the configuration of the cluster's clients. */
  public Configuration load() throws IOException {
    // Otherwise all configuration files are read again when HDFS is first used.
    HdfsConfiguration.init();
    if (cluster != null) {
      return of(cluster);
    }
    if (System.getenv("HADOOP_CONF_DIR") != null) {
      return new YarnConfiguration();
    }
    Optional<Path> meant = ClusterChoice.found(LocalCluster.known(), ClusterChoice::isRunning);
    return meant.isPresent() ? of(meant.get()) : new YarnConfiguration();
  }

  @SuppressWarnings("try") // closing it would stop the cluster
  private static Configuration of(Path directory) throws IOException {
    return LocalCluster.attach(directory).configuration();
  }
}
