package dev.weir.yarn.lookup;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files that wait to be looked up, by the directory that they are in: while threads are busy, or
 * one lists the directory for those that came before, more and more of them come together, and one
 * listing answers them all. Bounded and divided among users as {@link FairExecutor} are, for while
 * a listing hangs they pile up behind it. Safe for any thread.
 *
 * @param <T> what is kept of a file
 */
final class DirectoryBatches<T> {

  /** Fewer files of a directory are asked for one by one. */
  static final int WORTH_A_LISTING = 8;

  private final int room;
  private final Map<Directory, Map<String, T>> waiting = new HashMap<>();
  private final Map<String, Integer> filesByUser = new HashMap<>();
  private final Set<Directory> taken = new HashSet<>();
  private int files;

  /** What has become of a file. */
  enum Added {
    /** Somebody must see to it that the directory's files are looked up. */
    FIRST,
    /** Somebody sees to that already. */
    TO_OTHERS,
    /** Too many files of the user wait. */
    REFUSED
  }

  /** For so many files in all, half of them for one user. */
  DirectoryBatches(int room) {
    this.room = room;
  }

  /** A directory, as a user sees it. */
  record Directory(String user, String path) {

    LocationCache.Key key(String file) {
      return new LocationCache.Key(user, List.of(file));
    }
  }

  /** The directory of a name that is one file; null for other names, and where it may be more. */
  static @Nullable Directory directory(LocationCache.Key key) {
    if (key.paths().size() != 1 || BoundedGlob.is(key.paths().get(0))) {
      return null;
    }
    String path = key.paths().get(0);
    int slash = path.lastIndexOf('/');
    if (slash < 0 || slash == path.length() - 1) {
      return null;
    }
    return new Directory(key.user(), slash == 0 ? "/" : path.substring(0, slash));
  }

  /** Adds a file. */
  synchronized Added add(Directory directory, String path, T kept) {
    int its = filesByUser.getOrDefault(directory.user(), 0);
    Map<String, T> known = waiting.get(directory);
    if ((known == null || !known.containsKey(path)) && its >= room - files) {
      return Added.REFUSED;
    }
    Map<String, T> together = waiting.computeIfAbsent(directory, absent -> new HashMap<>());
    boolean first = together.isEmpty();
    if (together.put(path, kept) == null) {
      files++;
      filesByUser.put(directory.user(), its + 1);
    }
    return first && !taken.contains(directory) ? Added.FIRST : Added.TO_OTHERS;
  }

  /** Takes a directory's files away; those that come from now on wait until this is over. */
  synchronized Map<String, T> take(Directory directory) {
    taken.add(directory);
    Map<String, T> together = waiting.remove(directory);
    if (together == null) {
      return Map.of();
    }
    files -= together.size();
    filesByUser.computeIfPresent(
        directory.user(), (user, its) -> its > together.size() ? its - together.size() : null);
    return together;
  }

  /** What was taken is looked up; true if somebody must see to others that have come meanwhile. */
  synchronized boolean over(Directory directory) {
    taken.remove(directory);
    return waiting.containsKey(directory);
  }
}
