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
 * Which files were created under temporary rules. Only these are ever removed, so what is doubtful
 * is forgotten: a file that was moved out of its rule, one that another took the place of, one
 * whose set its owner withdrew. For one thread.
 */
final class ExpirableFiles {
  /** By how much the clocks of ZooKeeper and of the NameNode may differ. */
  private static final Duration SKEW = Duration.ofSeconds(2);

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

  /** Takes a new file on record if the rule that it is under says so. */
  void created(Edit.Created edit, HintIndex index) {
    files.remove(edit.path());
    index
        .lookup(edit.path())
        .filter(match -> match.set().modified().plus(SKEW).isBefore(edit.time()))
        .flatMap(match -> onRecord(edit.path(), match))
        .ifPresent(file -> files.put(file.path(), file));
  }

  /** Follows a rename; what is at the new name now was not there before. */
  void renamed(Edit.Renamed edit, HintIndex index) {
    List<ExpirableFile> moved = takeAtOrBelow(edit.from());
    takeAtOrBelow(edit.to());
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
    takeAtOrBelow(path);
  }

  /** Knows more of a file that is on record. */
  void replace(ExpirableFile file) {
    files.put(file.path(), file);
  }

  void forget(ExpirableFile file) {
    files.remove(file.path());
  }

  /** Forgets the files of sets that are gone though they had not expired. */
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

  private List<ExpirableFile> takeAtOrBelow(String path) {
    List<ExpirableFile> taken = new ArrayList<>();
    ExpirableFile self = files.remove(path);
    if (self != null) {
      taken.add(self);
    }
    // Between "/a" and "/a/..." lie names such as "/a-b" and "/a.b".
    NavigableMap<String, ExpirableFile> below = files.subMap(path + "/", true, path + "0", false);
    taken.addAll(below.values());
    below.clear();
    return taken;
  }

  private static Optional<ExpirableFile> onRecord(String path, Match match) {
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
