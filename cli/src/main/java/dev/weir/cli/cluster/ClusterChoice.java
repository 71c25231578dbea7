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

/** The option that chooses a local cluster; it may be omitted if there is only one. */
final class ClusterChoice {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory of the cluster; needed if there are several.")
  private @Nullable Path dir;

  LocalCluster attach() throws IOException {
    return LocalCluster.attach(dir());
  }

  boolean isNamed() {
    return dir != null;
  }

  /** Returns the named cluster, the only cluster, or the only running one. */
  Path dir() throws IOException {
    return dir == null ? only(LocalCluster.known(), ClusterChoice::isRunning) : dir;
  }

  /** Returns the named cluster or the only one. A cluster to stop is not guessed among several. */
  Path dirToEnd() throws IOException {
    return dir == null ? only(LocalCluster.known(), each -> false) : dir;
  }

  static boolean isRunning(Path dir) {
    try {
      return LocalCluster.attach(dir).isRunning();
    } catch (IOException e) {
      // Commands for that cluster report its damaged files.
      return false;
    }
  }

  /**
   * Returns the cluster of a command that names none.
   *
   * @param known the directories of all clusters
   * @param running returns whether a cluster runs; called only if there are several
   */
  static Path only(List<Path> known, Predicate<Path> running) throws ClusterException {
    if (known.isEmpty()) {
      throw new ClusterException(
          "No cluster of yours is here: start one with 'weir cluster start'");
    }
    return found(known, running)
        .orElseThrow(() -> new ClusterException("Say which cluster with --dir: " + listed(known)));
  }

  /**
   * Returns the cluster of a command that names none; empty if none is known or none of several
   * runs.
   *
   * @throws ClusterException if several run; it lists them
   */
  static Optional<Path> foundOrListed(List<Path> known, Predicate<Path> running)
      throws ClusterException {
    List<Path> candidates = candidates(known, running);
    if (candidates.size() > 1) {
      throw new ClusterException("Say which cluster with --cluster: " + listed(candidates));
    }
    return candidates.stream().findFirst();
  }

  private static List<Path> candidates(List<Path> known, Predicate<Path> running) {
    return known.size() == 1 ? known : known.stream().filter(running).toList();
  }

  private static String listed(List<Path> clusters) {
    return clusters.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /**
   * Returns the cluster of a command that names none; empty if none is known or the choice is
   * ambiguous.
   *
   * @param known all that there are files of
   * @param running whether one of them has a process; asked only if several are known
   */
  static Optional<Path> found(List<Path> known, Predicate<Path> running) {
    List<Path> meant = candidates(known, running);
    return meant.size() == 1 ? Optional.of(meant.get(0)) : Optional.empty();
  }
}
