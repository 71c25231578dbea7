package dev.weir.cli.cluster;

import dev.weir.cluster.ClusterException;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which of the running clusters a command is for; the only one needs no naming. */
final class ClusterChoice {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The cluster's directory, where several clusters run.")
  private @Nullable Path dir;

  LocalCluster attach() throws IOException {
    return LocalCluster.attach(dir());
  }

  /** Whether the user named one. */
  boolean isNamed() {
    return dir != null;
  }

  Path dir() throws IOException {
    if (dir != null) {
      return dir;
    }
    return only(LocalCluster.known());
  }

  static Path only(List<Path> known) throws ClusterException {
    return switch (known.size()) {
      case 0 ->
          throw new ClusterException(
              "No cluster of yours is here: start one with 'weir cluster start'");
      case 1 -> known.get(0);
      default ->
          throw new ClusterException(
              "Say which cluster with --dir: "
                  + known.stream().map(Path::toString).collect(Collectors.joining(", ")));
    };
  }
}
