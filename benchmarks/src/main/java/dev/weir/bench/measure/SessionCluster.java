package dev.weir.bench.measure;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cluster of a session. A killed process leaves its cluster running, whose daemons would slow
 * down every later session. So the cluster is recorded, and the next session stops it. Use it only
 * while holding the lock of the series' directory.
 */
public final class SessionCluster {
  private static final String NOTE = "cluster.txt";

  /** The file that a local cluster writes once at its start. */
  private static final String PLAN = "cluster.json";

  private final Path note;

  /**
   * Creates the cluster of a series.
   *
   * @param directory of the series
   */
  public SessionCluster(Path directory) {
    this.note = directory.resolve(NOTE);
  }

  /**
   * Stops the cluster of an earlier session if it remains, and starts a new one.
   *
   * @throws IOException if either fails
   */
  public LocalCluster start(ClusterSpec spec) throws IOException {
    Optional<Path> left = leftBehind();
    if (left.isPresent()) {
      LocalCluster.attach(left.get()).close();
    }
    LocalCluster cluster = LocalCluster.start(spec, step -> {});
    begun(cluster.dir());
    return cluster;
  }

  /** Records a cluster by its directory. */
  void begun(Path cluster) throws IOException {
    Files.writeString(note, cluster + "\n" + age(cluster) + "\n");
  }

  /**
   * Returns the recorded cluster; empty if it no longer exists, or if another one has its
   * directory.
   */
  Optional<Path> leftBehind() throws IOException {
    if (!Files.exists(note)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(note);
    if (lines.size() != 2) {
      return Optional.empty();
    }
    Path cluster = Path.of(lines.get(0));
    boolean same = Files.exists(cluster.resolve(PLAN)) && age(cluster).equals(lines.get(1));
    return same ? Optional.of(cluster) : Optional.empty();
  }

  private static String age(Path cluster) throws IOException {
    return Files.getLastModifiedTime(cluster.resolve(PLAN)).toString();
  }
}
