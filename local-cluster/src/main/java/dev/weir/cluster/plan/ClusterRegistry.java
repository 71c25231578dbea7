package dev.weir.cluster.plan;

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
 * The clusters of a user on this machine: a directory with one small file per cluster, named after
 * its index. Creating the file reserves the index. The file holds the cluster's directory and later
 * a copy of its plan. With the copy, a cluster can be stopped even after its directory was deleted.
 */
public final class ClusterRegistry {
  private static final String SUFFIX = ".cluster";
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Path root;

  /**
   * Opens a registry.
   *
   * @param root the user's own directory; created for the first cluster, removed with the last
   */
  public ClusterRegistry(Path root) {
    this.root = root;
  }

  /** The registry of the user who runs this JVM. */
  public static ClusterRegistry ofUser() {
    return new ClusterRegistry(
        Path.of(System.getProperty("java.io.tmpdir"))
            .toAbsolutePath()
            .resolve("weir-clusters-" + System.getProperty("user.name")));
  }

  /**
   * Reserves an index.
   *
   * @param dir the cluster's directory; null for a directory of the registry
   * @return the cluster's directory, or null if the index is in use
   */
  public @Nullable Path take(int index, @Nullable Path dir) throws IOException {
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

  /** Stores a copy of the plan of a cluster whose index was reserved here. */
  public void record(ClusterPlan plan) throws IOException {
    Files.writeString(entry(plan.index()), plan.dir() + "\n" + PlanCodec.toJson(plan));
  }

  /** Releases the index of a cluster. An index that another cluster has is left alone. */
  public void release(int index, Path dir) throws IOException {
    if (Files.exists(entry(index)) && dirOf(entry(index)).equals(dir.toString())) {
      Files.deleteIfExists(entry(index));
    }
    try {
      Files.deleteIfExists(root);
    } catch (DirectoryNotEmptyException e) {
      // Another cluster's entry or directory.
    }
  }

  /** The directories of all clusters that exist at least in part. */
  public List<Path> list() throws IOException {
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

  /** Returns whether the process that reserved the entry was killed before it created anything. */
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
