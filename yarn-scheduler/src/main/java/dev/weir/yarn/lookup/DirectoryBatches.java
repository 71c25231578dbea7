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
 * {@link FairExecutor}, because files accumulate while a listing hangs. Thread-safe.
 *
 * @param <T> the value of a file
 */
final class DirectoryBatches<T> {

  /** Smaller batches are looked up file by file. */
  static final int MIN_LISTED_FILES = 8;

  private final int capacity;
  private final Map<Directory, Map<String, T>> waiting = new HashMap<>();
  private final Map<String, Integer> filesByUser = new HashMap<>();
  private final Set<Directory> inProgress = new HashSet<>();
  private int files;

  /** The result of adding a file. */
  enum Added {
    /** The caller must have the directory looked up. */
    FIRST,
    /** A lookup of the directory is already pending. */
    JOINED,
    /** Too many files of the user are waiting. */
    REFUSED
  }

  /** Creates batches for a number of files in all, half of them for one user. */
  DirectoryBatches(int capacity) {
    this.capacity = capacity;
  }

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

  synchronized Added add(Directory directory, String path, T kept) {
    int its = filesByUser.getOrDefault(directory.user(), 0);
    Map<String, T> known = waiting.get(directory);
    if ((known == null || !known.containsKey(path)) && its >= capacity - files) {
      return Added.REFUSED;
    }
    Map<String, T> batch = waiting.computeIfAbsent(directory, absent -> new HashMap<>());
    boolean first = batch.isEmpty();
    if (batch.put(path, kept) == null) {
      files++;
      filesByUser.put(directory.user(), its + 1);
    }
    return first && !inProgress.contains(directory) ? Added.FIRST : Added.JOINED;
  }

  /**
   * Removes and returns a directory's files. Files that arrive later wait until {@link #finish}.
   */
  synchronized Map<String, T> take(Directory directory) {
    inProgress.add(directory);
    Map<String, T> batch = waiting.remove(directory);
    if (batch == null) {
      return Map.of();
    }
    files -= batch.size();
    filesByUser.computeIfPresent(
        directory.user(), (user, its) -> its > batch.size() ? its - batch.size() : null);
    return batch;
  }

  /**
   * Marks the taken files as looked up.
   *
   * @return whether more have arrived and the caller must look them up
   */
  synchronized boolean finish(Directory directory) {
    inProgress.remove(directory);
    return waiting.containsKey(directory);
  }
}
