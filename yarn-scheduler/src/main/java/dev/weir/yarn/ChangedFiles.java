package dev.weir.yarn;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Tells for which names of files it matters that some paths have changed. */
final class ChangedFiles {

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

  /** Whether a path as it is named, which may be a file, a directory or a pattern, is concerned. */
  boolean concern(String named) {
    String path = plain(named);
    if (isOrIsBelow(path) || parents.contains(path)) {
      return true;
    }
    if (!Glob.is(path)) {
      return false;
    }
    String base = path;
    while (Glob.is(base)) {
      base = parent(base);
    }
    return above.contains(base) || isOrIsBelow(base);
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

  private static String plain(String named) {
    String path = named.contains("//") ? named.replaceAll("/+", "/") : named;
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
