package dev.weir.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of a user on this machine: a directory with one small file for each, named after its
 * index. Creating the file takes the index. It holds the cluster's directory and, once there is
 * one, a copy of its plan, by which a cluster can be taken down even after somebody has deleted its
 * directory.
 */
final class ClusterRegistry {
  private static final String SUFFIX = ".cluster";
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Path root;

  /**
   * @param root the user's own directory; made when the first cluster is, removed with the last
   */
  ClusterRegistry(Path root) {
    this.root = root;
  }

  /** The registry of the user who runs this JVM. */
  static ClusterRegistry ofUser() {
    return new ClusterRegistry(
        Path.of(System.getProperty("java.io.tmpdir"))
            .toAbsolutePath()
            .resolve("weir-clusters-" + System.getProperty("user.name")));
  }

  /**
   * Takes an index.
   *
   * @param dir where the cluster will be; null for a directory of the registry
   * @return the cluster's directory, or null if the index is taken
   */
  @Nullable Path take(int index, @Nullable Path dir) throws IOException {
    if (!Files.isDirectory(root)) {
      Files.createDirectories(
          root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Path chosen = dir == null ? root.resolve("cluster-" + index) : dir;
    if (dir == null && Files.exists(chosen)) {
      return null;
    }
    try {
      Files.createFile(entry(index));
    } catch (FileAlreadyExistsException e) {
      if (!isAbandoned(entry(index))) {
        return null;
      }
    }
    Files.writeString(entry(index), chosen + "\n");
    return chosen;
  }

  /** Keeps a copy of the plan of a cluster whose index was taken here. */
  void record(ClusterPlan plan) throws IOException {
    Files.writeString(entry(plan.index()), plan.dir() + "\n" + PlanCodec.toJson(plan));
  }

  /** Gives the index of a cluster back; leaves another cluster's alone. */
  void release(int index, Path dir) throws IOException {
    if (Files.exists(entry(index)) && dirOf(entry(index)).equals(dir.toString())) {
      Files.deleteIfExists(entry(index));
    }
    try {
      Files.deleteIfExists(root);
    } catch (DirectoryNotEmptyException e) {
      // Another cluster's entry, or its directory.
    }
  }

  /** The directories of all clusters that there is something of. */
  List<Path> list() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path entry : entries()) {
      String dir = dirOf(entry);
      if (hasPlan(entry) || Files.exists(new ClusterFiles(Path.of(dir)).state())) {
        found.add(Path.of(dir));
      }
    }
    return found;
  }

  /** The copy of the plan of the cluster in a directory. */
  Optional<ClusterPlan> find(Path dir) throws IOException {
    for (Path entry : entries()) {
      if (hasPlan(entry) && dirOf(entry).equals(dir.toString())) {
        String text = Files.readString(entry);
        return Optional.of(PlanCodec.fromJson(text.substring(text.indexOf('\n') + 1), dir));
      }
    }
    return Optional.empty();
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static String dirOf(Path entry) throws IOException {
    return Files.readString(entry).lines().findFirst().orElse("");
  }

  private static boolean hasPlan(Path entry) throws IOException {
    return Files.readString(entry).lines().count() > 1;
  }

  /** Whether its owner was killed before there was anything of the cluster. */
  private static boolean isAbandoned(Path entry) throws IOException {
    Instant taken = Files.getLastModifiedTime(entry).toInstant();
    String dir = dirOf(entry);
    return taken.isBefore(Instant.now().minus(GRACE))
        && !hasPlan(entry)
        && (dir.isEmpty() || !Files.exists(new ClusterFiles(Path.of(dir)).state()));
  }

  private Path entry(int index) {
    return root.resolve(index + SUFFIX);
  }
}
