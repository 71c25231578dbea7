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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of a user on this machine: a directory with one small file for each, named after its
 * index, that holds the cluster's directory. Creating the file takes the index.
 */
final class Registry {
  private static final String SUFFIX = ".cluster";
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Path root;

  /**
   * @param root the user's own directory; made when the first cluster is, removed with the last
   */
  Registry(Path root) {
    this.root = root;
  }

  /** The registry of the user who runs this JVM. */
  static Registry ofUser() {
    return new Registry(
        Path.of(System.getProperty("java.io.tmpdir"))
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

  /** Gives an index back. */
  void release(int index) throws IOException {
    Files.deleteIfExists(entry(index));
    try {
      Files.deleteIfExists(root);
    } catch (DirectoryNotEmptyException e) {
      // Another cluster's entry, or its directory.
    }
  }

  /** The directories of all clusters, by index; there may be nothing left in some of them. */
  List<Path> list() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList()) {
        String dir = Files.readString(file).strip();
        if (!dir.isEmpty()) {
          found.add(Path.of(dir));
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return found;
  }

  /** Whether its owner was killed before there was anything of the cluster. */
  private static boolean isAbandoned(Path entry) throws IOException {
    Instant taken = Files.getLastModifiedTime(entry).toInstant();
    String dir = Files.readString(entry).strip();
    return taken.isBefore(Instant.now().minus(GRACE))
        && (dir.isEmpty() || !Files.exists(new ClusterFiles(Path.of(dir)).state()));
  }

  private Path entry(int index) {
    return root.resolve(index + SUFFIX);
  }
}
