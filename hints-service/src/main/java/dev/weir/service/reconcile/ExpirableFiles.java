package dev.weir.service.reconcile;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files that were created under temporary rules. Only these are ever removed. A file is dropped
 * if it was renamed out of its rule, if another file replaced it, or if the owner removed its set.
 * Not thread-safe.
 */
final class ExpirableFiles {
  /** The greatest difference between the clocks of ZooKeeper and the NameNode. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(2);

  private final TreeMap<String, ExpirableFile> files = new TreeMap<>();

  ExpirableFiles(Collection<ExpirableFile> known) {
    known.forEach(file -> files.put(file.path(), file));
  }

  Collection<ExpirableFile> all() {
    return List.copyOf(files.values());
  }

  int size() {
    return files.size();
  }

  /** Records a new file if its rule is temporary. */
  void created(Edit.Created edit, HintIndex index) {
    files.remove(edit.path());
    index
        .lookup(edit.path())
        .filter(match -> match.set().modified().plus(MAX_CLOCK_SKEW).isBefore(edit.time()))
        .flatMap(match -> expirable(edit.path(), match))
        .ifPresent(file -> files.put(file.path(), file));
  }

  /** Follows a rename. A file that was recorded at the new name has been replaced. */
  void renamed(Edit.Renamed edit, HintIndex index) {
    List<ExpirableFile> moved = removeAtOrBelow(edit.from());
    removeAtOrBelow(edit.to());
    for (ExpirableFile file : moved) {
      String path = edit.to() + file.path().substring(edit.from().length());
      boolean same =
          index
              .lookup(path)
              .filter(match -> match.hint().isTemporary())
              .map(match -> match.set().id().equals(file.set()))
              .orElse(false);
      if (same) {
        files.put(path, file.at(path));
      }
    }
  }

  void removed(String path) {
    removeAtOrBelow(path);
  }

  void replace(ExpirableFile file) {
    files.put(file.path(), file);
  }

  void forget(ExpirableFile file) {
    files.remove(file.path());
  }

  /** Drops the files of sets that were removed before they expired. */
  void dropWithdrawn(HintIndex index, Instant now) {
    files
        .values()
        .removeIf(
            file -> {
              Optional<SetInfo> set = index.set(file.set());
              Instant expires = file.setExpires();
              return set.isEmpty() && (expires == null || now.isBefore(expires));
            });
  }

  private List<ExpirableFile> removeAtOrBelow(String path) {
    List<ExpirableFile> removedFiles = new ArrayList<>();
    ExpirableFile file = files.remove(path);
    if (file != null) {
      removedFiles.add(file);
    }
    // Names such as "/a-b" and "/a.b" sort between "/a" and "/a/...".
    NavigableMap<String, ExpirableFile> below = files.subMap(path + "/", true, path + "0", false);
    removedFiles.addAll(below.values());
    below.clear();
    return removedFiles;
  }

  private static Optional<ExpirableFile> expirable(String path, Match match) {
    return match
        .hint()
        .lifetime()
        .filter(lifetime -> lifetime.temporary() && lifetime.expiry() != null)
        .map(
            lifetime -> {
              Duration expiry = lifetime.expiry();
              return new ExpirableFile(
                  path,
                  match.set().id(),
                  match.set().owner(),
                  expiry == null ? Duration.ZERO : expiry,
                  match.set().expires(),
                  null);
            });
  }
}
