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
final class CreatedFiles {
  /** By how much the clocks of ZooKeeper and of the NameNode may differ. */
  private static final Duration SKEW = Duration.ofSeconds(2);

  private final TreeMap<String, CreatedFile> files = new TreeMap<>();

  CreatedFiles(Collection<CreatedFile> known) {
    known.forEach(file -> files.put(file.path(), file));
  }

  Collection<CreatedFile> all() {
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
    List<CreatedFile> moved = takeAtOrBelow(edit.from());
    takeAtOrBelow(edit.to());
    for (CreatedFile file : moved) {
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
  void replace(CreatedFile file) {
    files.put(file.path(), file);
  }

  void forget(CreatedFile file) {
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

  private List<CreatedFile> takeAtOrBelow(String path) {
    List<CreatedFile> taken = new ArrayList<>();
    CreatedFile self = files.remove(path);
    if (self != null) {
      taken.add(self);
    }
    // Between "/a" and "/a/..." lie names such as "/a-b" and "/a.b".
    NavigableMap<String, CreatedFile> below = files.subMap(path + "/", true, path + "0", false);
    taken.addAll(below.values());
    below.clear();
    return taken;
  }

  private static Optional<CreatedFile> onRecord(String path, Match match) {
    return match
        .hint()
        .lifetime()
        .filter(lifetime -> lifetime.temporary() && lifetime.expiry() != null)
        .map(
            lifetime -> {
              Duration expiry = lifetime.expiry();
              return new CreatedFile(
                  path,
                  match.set().id(),
                  match.set().owner(),
                  expiry == null ? Duration.ZERO : expiry,
                  match.set().expires(),
                  null);
            });
  }
}
