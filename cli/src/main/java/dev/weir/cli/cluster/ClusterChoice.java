package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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

  /** The named one, or the only one, or the only one that runs. */
  Path dir() throws IOException {
    return dir == null ? only(LocalCluster.known(), ClusterChoice::isRunning) : dir;
  }

  /** The named one, or the only one: what a command ends for good is not guessed. */
  Path dirToEnd() throws IOException {
    return dir == null ? only(LocalCluster.known(), each -> false) : dir;
  }

  static boolean isRunning(Path dir) {
    try {
      return LocalCluster.attach(dir).isRunning();
    } catch (IOException e) {
      // Of another's damaged files its own commands tell.
      return false;
    }
  }

  /**
   * The cluster that is meant where none is named.
   *
   * @param known all that there are files of
   * @param running whether one of them has a process; asked only if several are known
   */
  static Path only(List<Path> known, Predicate<Path> running) throws ClusterException {
    if (known.isEmpty()) {
      throw new ClusterException(
          "No cluster of yours is here: start one with 'weir cluster start'");
    }
    return found(known, running)
        .orElseThrow(
            () ->
                new ClusterException(
                    "Say which cluster with --dir: "
                        + known.stream().map(Path::toString).collect(Collectors.joining(", "))));
  }

  /**
   * The same; empty where none is known, or where it has to be named.
   *
   * @param known all that there are files of
   * @param running whether one of them has a process; asked only if several are known
   */
  static Optional<Path> found(List<Path> known, Predicate<Path> running) {
    List<Path> meant = known.size() == 1 ? known : known.stream().filter(running).toList();
    return meant.size() == 1 ? Optional.of(meant.get(0)) : Optional.empty();
  }
}
