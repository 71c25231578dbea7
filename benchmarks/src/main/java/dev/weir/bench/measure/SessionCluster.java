package dev.weir.bench.measure;

import dev.weir.cluster.ClusterSpec;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cluster of a session. A process that is killed leaves its cluster behind, whose daemons would
 * take their part of the machine from every later session: it is noted, and removed by the next.
 * For whoever has the series' directory alone.
 */
public final class SessionCluster {
  private static final String NOTE = "cluster.txt";

  /** Of a local cluster, written once when it begins. */
  private static final String PLAN = "cluster.json";

  private final Path note;

  /**
   * Of a series.
   *
   * @param directory of the series
   */
  public SessionCluster(Path directory) {
    this.note = directory.resolve(NOTE);
  }

  /**
   * Removes what an earlier session left behind, and starts a cluster.
   *
   * @throws IOException when one of both fails
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

  /** Notes a cluster by the directory that it is in. */
  void begun(Path cluster) throws IOException {
    Files.writeString(note, cluster + "\n" + age(cluster) + "\n");
  }

  /** The cluster that was noted; empty when it is gone, or another has come to its place. */
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
