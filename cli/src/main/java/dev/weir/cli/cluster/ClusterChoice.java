package dev.weir.cli.cluster;

import dev.weir.cluster.ClusterException;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
    List<Path> known = LocalCluster.known();
    List<Path> running = new ArrayList<>();
    if (known.size() > 1) {
      for (Path each : known) {
        if (LocalCluster.attach(each).isRunning()) {
          running.add(each);
        }
      }
    }
    return only(known, running);
  }

  /**
   * The cluster that is meant where none is named.
   *
   * @param known all that there are files of
   * @param running those of them that have a process; asked for only if several are known
   */
  static Path only(List<Path> known, List<Path> running) throws ClusterException {
    if (known.isEmpty()) {
      throw new ClusterException(
          "No cluster of yours is here: start one with 'weir cluster start'");
    }
    if (known.size() == 1) {
      return known.get(0);
    }
    if (running.size() == 1) {
      return running.get(0);
    }
    throw new ClusterException(
        "Say which cluster with --dir: "
            + known.stream()
                .map(dir -> running.contains(dir) ? dir.toString() : dir + " (dead)")
                .collect(Collectors.joining(", ")));
  }
}
