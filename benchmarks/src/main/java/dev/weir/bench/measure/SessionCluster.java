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
  private static final String RECORD_FILE = "cluster.txt";

  /** The file that a local cluster writes once at its start. */
  private static final String PLAN = "cluster.json";

  private final Path recordFile;

  /** Creates the cluster of a series. */
  public SessionCluster(Path directory) {
    this.recordFile = directory.resolve(RECORD_FILE);
  }

  /**
   * Stops the cluster of an earlier session if it remains, and starts a new one.
   *
   * @throws IOException if either fails
   */
  public LocalCluster start(ClusterSpec spec) throws IOException {
    Optional<Path> leftover = leftover();
    if (leftover.isPresent()) {
      LocalCluster.attach(leftover.get()).close();
    }
    LocalCluster cluster = LocalCluster.start(spec, step -> {});
    writeRecord(cluster.dir());
    return cluster;
  }

  void writeRecord(Path cluster) throws IOException {
    Files.writeString(recordFile, cluster + "\n" + age(cluster) + "\n");
  }

  /**
   * Returns the recorded cluster; empty if it no longer exists, or if another one has its
   * directory.
   */
  Optional<Path> leftover() throws IOException {
    if (!Files.exists(recordFile)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(recordFile);
    if (lines.size() != 2) {
      return Optional.empty();
    }
    Path cluster = Path.of(lines.get(0));
    boolean exists = Files.exists(cluster.resolve(PLAN)) && age(cluster).equals(lines.get(1));
    return exists ? Optional.of(cluster) : Optional.empty();
  }

  private static String age(Path cluster) throws IOException {
    return Files.getLastModifiedTime(cluster.resolve(PLAN)).toString();
  }
}
