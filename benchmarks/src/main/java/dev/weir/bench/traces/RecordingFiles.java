package dev.weir.bench.traces;

import dev.weir.bench.series.SeriesDirectory;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The recordings in a directory tree, such as a clone of the published collection. Each is named by
 * its file without extension, regardless of its directory.
 */
final class RecordingFiles {
  /** The name of all recordings. */
  static final String ALL = "all";

  private static final String ENDING = ".json";

  private final Path directory;
  private final List<Path> files;

  private RecordingFiles(Path directory, List<Path> files) {
    this.directory = directory;
    this.files = files;
  }

  /**
   * Finds recordings. Hidden directories are skipped, and so are those of series, whose runs are
   * JSON too.
   *
   * @throws IllegalArgumentException if it is not a directory; the message has the remedy
   * @throws IOException if a directory cannot be read
   */
  static RecordingFiles below(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          directory + " is not a directory: name the one with the recordings");
    }
    Path root = directory.toRealPath();
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(root, new Collector(root, files));
    Collections.sort(files);
    return new RecordingFiles(root, List.copyOf(files));
  }

  /** Collects directories and files, unordered. */
  private static final class Collector extends SimpleFileVisitor<Path> {
    private final Path root;
    private final List<Path> files;

    Collector(Path root, List<Path> files) {
      this.root = root;
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      boolean excluded = Files.isHidden(folder) || SeriesDirectory.isOne(folder);
      return excluded && !folder.equals(root)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().endsWith(ENDING) && Files.isRegularFile(file)) {
        files.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  /**
   * Returns the recordings with some names, in this order, or all of them in the order of their
   * paths.
   *
   * @param names of files without extension, or paths below the directory; {@link #ALL} alone for
   *     all
   * @throws IllegalArgumentException if one does not exist, or two have the same name; the message
   *     names both and the remedy
   */
  List<Path> named(List<String> names) {
    List<Path> chosen =
        names.equals(List.of(ALL)) ? files : names.stream().map(this::named).distinct().toList();
    Map<String, Path> byName = new HashMap<>();
    for (Path file : chosen) {
      String name = String.valueOf(file.getFileName());
      Path other = byName.put(name, file);
      if (other != null) {
        throw ambiguous(other, file);
      }
    }
    return chosen;
  }

  private Path named(String name) {
    Path path = directory.resolve(name + ENDING).normalize();
    if (name.contains("/") && Files.isRegularFile(path)) {
      return path;
    }
    List<Path> found =
        files.stream().filter(file -> file.endsWith(Path.of(name + ENDING))).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          path
              + " does not exist, nor in a directory below: name the directory with the recordings,"
              + " and with --instances those to run");
    }
    if (found.size() > 1) {
      throw ambiguous(found.get(0), found.get(1));
    }
    return found.get(0);
  }

  private static IllegalArgumentException ambiguous(Path one, Path other) {
    return new IllegalArgumentException(
        "Two recordings have one name: "
            + one
            + " and "
            + other
            + ". Name one of them, with --instances and its path below DIR, without extension, or"
            + " give its directory as DIR");
  }
}
