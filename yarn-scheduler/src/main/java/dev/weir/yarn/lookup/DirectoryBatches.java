package dev.weir.yarn.lookup;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects waiting lookups of single files by their directory, so that one listing answers all that
 * arrive while threads are busy or an earlier listing runs. Bounded, and divided among users as in
 * {@link FairExecutor}, because files pile up behind a listing that hangs. Thread-safe.
 *
 * @param <T> what is kept for a file
 */
final class DirectoryBatches<T> {

  /** Smaller batches are looked up file by file. */
  static final int WORTH_A_LISTING = 8;

  private final int room;
  private final Map<Directory, Map<String, T>> waiting = new HashMap<>();
  private final Map<String, Integer> filesByUser = new HashMap<>();
  private final Set<Directory> taken = new HashSet<>();
  private int files;

  /** The result of adding a file. */
  enum Added {
    /** The caller must have the directory looked up. */
    FIRST,
    /** A lookup of the directory is already pending. */
    TO_OTHERS,
    /** Too many files of the user are waiting. */
    REFUSED
  }

  /** Creates batches for a number of files in all, half of them for one user. */
  DirectoryBatches(int room) {
    this.room = room;
  }

  /** A directory as one user sees it. */
  record Directory(String user, String path) {

    LocationCache.Key key(String file) {
      return new LocationCache.Key(user, List.of(file));
    }
  }

  /**
   * The directory of a name that is a single file; null for other names, and if the name may stand
   * for several files.
   */
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

  /** Removes and returns a directory's files. Files that arrive later wait until {@link #over}. */
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

  /**
   * Marks the taken files as looked up.
   *
   * @return whether more have arrived and the caller must look them up
   */
  synchronized boolean over(Directory directory) {
    taken.remove(directory);
    return waiting.containsKey(directory);
  }
}
