package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which Hadoop cluster a command is for. */
public final class ClientConfiguration {
  @Option(
      names = "--cluster",
      paramLabel = "DIR",
      description = "Directory of a local cluster (default: HADOOP_CONF_DIR, else the only one).")
  private @Nullable Path cluster;

  /** For picocli. */
  public ClientConfiguration() {}

  /** The configuration of its clients. */
  public Configuration load() throws IOException {
    if (cluster != null) {
      return of(cluster);
    }
    List<Path> known = LocalCluster.known();
    boolean configured = System.getenv("HADOOP_CONF_DIR") != null;
    return configured || known.size() != 1 ? new YarnConfiguration() : of(known.get(0));
  }

  @SuppressWarnings("try") // closing it would stop the cluster
  private static Configuration of(Path directory) throws IOException {
    return LocalCluster.attach(directory).configuration();
  }
}
