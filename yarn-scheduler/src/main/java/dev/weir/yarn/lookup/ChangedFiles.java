package dev.weir.yarn.lookup;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;

/** Decides which names of files are affected by changed paths. */
final class ChangedFiles {

  /** How much of a name's files may have changed. */
  enum Effect {
    /** Nothing has changed. */
    NONE,
    /** A file in the directory, or possibly a file that the pattern matches. */
    SOME,
    /** The file, or everything below the directory. */
    ALL
  }

  private final Set<String> changed;
  private final Set<String> parents = new HashSet<>();
  private final Set<String> ancestors = new HashSet<>();

  /**
   * Creates a set of changes.
   *
   * @param changed absolute paths; a directory stands for everything below it
   */
  ChangedFiles(Collection<String> changed) {
    this.changed = Set.copyOf(changed);
    for (String path : this.changed) {
      String parent = parent(path);
      parents.add(parent);
      // If a directory is known, so are its ancestors.
      while (ancestors.add(parent)) {
        parent = parent(parent);
      }
    }
  }

  /** The effect of the changes on a path, which may be a file, a directory or a pattern. */
  Effect on(String named) {
    String path = normalise(named);
    String base = path;
    while (BoundedGlob.is(base)) {
      base = parent(base);
    }
    if (isOrIsBelow(path) || isOrIsBelow(base)) {
      return Effect.ALL;
    }
    boolean some = BoundedGlob.is(path) ? ancestors.contains(base) : parents.contains(path);
    return some ? Effect.SOME : Effect.NONE;
  }

  /** The largest effect of the changes on any of several paths. */
  Effect on(Collection<String> named) {
    Effect largest = Effect.NONE;
    for (String path : named) {
      Effect one = on(path);
      largest = one.compareTo(largest) > 0 ? one : largest;
    }
    return largest;
  }

  private boolean isOrIsBelow(String path) {
    for (String at = path; !at.equals("/"); at = parent(at)) {
      if (changed.contains(at)) {
        return true;
      }
    }
    return false;
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** The path in the file system's own spelling. */
  private static String normalise(String named) {
    String path = named.contains("//") ? named.replaceAll("/+", "/") : named;
    if (path.contains("/.")) {
      path = new Path(path).toUri().getPath();
    }
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
