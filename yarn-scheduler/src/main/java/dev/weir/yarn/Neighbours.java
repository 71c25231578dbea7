package dev.weir.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files that wait to be looked up, by the directory that they are in: while threads are busy more
 * and more of them come together, and one listing answers them all. Bounded by what may wait to be
 * looked up at all, for each is there once. Safe for any thread.
 *
 * @param <T> what is kept of a file
 */
final class Neighbours<T> {

  /** Fewer files of a directory are asked for one by one. */
  static final int WORTH_A_LISTING = 8;

  private final Map<Directory, Map<String, T>> waiting = new HashMap<>();

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
    Map<String, T> files = waiting.get(directory);
    boolean first = files == null;
    if (files == null) {
      files = new HashMap<>();
      waiting.put(directory, files);
    }
    files.put(path, kept);
    return first;
  }

  /** Takes a directory's files away. */
  synchronized Map<String, T> take(Directory directory) {
    Map<String, T> files = waiting.remove(directory);
    return files == null ? Map.of() : files;
  }
}
