package dev.weir.yarn.lookup;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;

/** Tells for which names of files it matters that some paths have changed. */
final class ChangedFiles {

  /** How much of what a name means may have changed. */
  enum Effect {
    /** Nothing of it. */
    NONE,
    /** Some file in the directory, or perhaps one of those of a pattern. */
    SOME,
    /** The file, or all that is below the directory. */
    ALL
  }

  private final Set<String> changed;
  private final Set<String> parents = new HashSet<>();
  private final Set<String> above = new HashSet<>();

  /**
   * Some changes.
   *
   * @param changed absolute paths; of a directory all that is below it
   */
  ChangedFiles(Collection<String> changed) {
    this.changed = Set.copyOf(changed);
    for (String path : this.changed) {
      String parent = parent(path);
      parents.add(parent);
      // What is above one that is known is known.
      while (above.add(parent)) {
        parent = parent(parent);
      }
    }
  }

  /** What they mean for a path as it is named, which may be a file, a directory or a pattern. */
  Effect on(String named) {
    String path = plain(named);
    String base = path;
    while (BoundedGlob.is(base)) {
      base = parent(base);
    }
    if (isOrIsBelow(path) || isOrIsBelow(base)) {
      return Effect.ALL;
    }
    boolean some = BoundedGlob.is(path) ? above.contains(base) : parents.contains(path);
    return some ? Effect.SOME : Effect.NONE;
  }

  /** What they mean for several paths together. */
  Effect on(Collection<String> named) {
    Effect most = Effect.NONE;
    for (String path : named) {
      Effect one = on(path);
      most = one.compareTo(most) > 0 ? one : most;
    }
    return most;
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

  /** As a file system takes it. */
  private static String plain(String named) {
    String path = named.contains("//") ? named.replaceAll("/+", "/") : named;
    if (path.contains("/.")) {
      path = new Path(path).toUri().getPath();
    }
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
