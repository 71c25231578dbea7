package dev.weir.yarn;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files that wait to be looked up, by the directory that they are in: while threads are busy, or
 * one lists the directory for those that came before, more and more of them come together, and one
 * listing answers them all. Bounded by what may wait to be looked up at all, for each is there
 * once. Safe for any thread.
 *
 * @param <T> what is kept of a file
 */
final class Neighbours<T> {

  /** Fewer files of a directory are asked for one by one. */
  static final int WORTH_A_LISTING = 8;

  private final Map<Directory, Map<String, T>> waiting = new HashMap<>();
  private final Set<Directory> taken = new HashSet<>();

  /** A directory, as a user sees it. */
  record Directory(String user, String path) {

    LocationCache.Key key(String file) {
      return new LocationCache.Key(user, List.of(file));
    }
  }

  /** The directory of a name that is one file; null for other names, and where it may be more. */
  static @Nullable Directory directory(LocationCache.Key key) {
    if (key.paths().size() != 1 || Glob.is(key.paths().get(0))) {
      return null;
    }
    String path = key.paths().get(0);
    int slash = path.lastIndexOf('/');
    if (slash < 0 || slash == path.length() - 1) {
      return null;
    }
    return new Directory(key.user(), slash == 0 ? "/" : path.substring(0, slash));
  }

  /** Adds a file; true if somebody must see to it that the directory's files are looked up. */
  synchronized boolean add(Directory directory, String path, T kept) {
    Map<String, T> files = waiting.computeIfAbsent(directory, absent -> new HashMap<>());
    boolean first = files.isEmpty();
    files.put(path, kept);
    return first && !taken.contains(directory);
  }

  /** Takes a directory's files away; those that come from now on wait until this is over. */
  synchronized Map<String, T> take(Directory directory) {
    taken.add(directory);
    Map<String, T> files = waiting.remove(directory);
    return files == null ? Map.of() : files;
  }

  /** What was taken is looked up; true if somebody must see to others that have come meanwhile. */
  synchronized boolean over(Directory directory) {
    taken.remove(directory);
    return waiting.containsKey(directory);
  }
}
