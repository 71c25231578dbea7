package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;

/**
 * Lists the paths that a pattern of Hadoop's shell matches. Unlike {@link FileSystem#globStatus} it
 * stops after a number of matches and of directory entries. Braces may not contain a slash.
 */
final class BoundedGlob {

  /** The most directory entries that are read for one pattern. */
  static final int MAX_ENTRIES = 20_000;

  private final FileSystem fs;
  private final int maxMatches;
  private final int maxEntries;
  private int remainingEntries;

  BoundedGlob(FileSystem fs, int maxMatches, int maxEntries) {
    this.fs = fs;
    this.maxMatches = maxMatches;
    this.maxEntries = maxEntries;
    this.remainingEntries = maxEntries;
  }

  static boolean is(String path) {
    return path.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  /** How many directory entries have been read. */
  int entriesRead() {
    return maxEntries - remainingEntries;
  }

  /** Whether the limit of directory entries was reached, so that there may be more matches. */
  boolean limitReached() {
    return remainingEntries <= 0;
  }

  /**
   * The first matches, files and directories.
   *
   * @throws BadPatternException if the pattern cannot be parsed
   */
  List<Path> matches(String pattern) throws IOException {
    List<Path> found = List.of(new Path("/"));
    for (String component : pattern.split("/+", -1)) {
      if (component.isEmpty()) {
        continue;
      }
      GlobFilter filter = filter(component);
      List<Path> next = new ArrayList<>();
      for (Path path : found) {
        if (filter.hasPattern()) {
          children(path, filter, next);
        } else {
          next.add(new Path(path, unescape(component)));
        }
      }
      found = next;
    }
    return found.subList(0, Math.min(maxMatches, found.size()));
  }

  private static GlobFilter filter(String component) throws BadPatternException {
    try {
      return new GlobFilter(component);
    } catch (IOException e) {
      BadPatternException bad = new BadPatternException(String.valueOf(e.getMessage()));
      bad.initCause(e);
      throw bad;
    }
  }

  private void children(Path parent, GlobFilter filter, List<Path> matches) throws IOException {
    if (matches.size() >= maxMatches || remainingEntries <= 0) {
      return;
    }
    try {
      RemoteIterator<FileStatus> list = fs.listStatusIterator(parent);
      while (list.hasNext() && remainingEntries > 0 && matches.size() < maxMatches) {
        remainingEntries--;
        Path child = list.next().getPath();
        if (filter.accept(child)) {
          matches.add(new Path(parent, child.getName()));
        }
      }
    } catch (FileNotFoundException | AccessControlException e) {
      // Such a directory matches nothing, as in the shell.
    }
  }

  private static String unescape(String component) {
    return component.replaceAll("\\\\(.)", "$1");
  }
}
