package dev.weir.service.reconcile;

import dev.weir.hints.Lifetime;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired temporary files: only recorded files, and only if the file is certainly the
 * recorded one. One round observes which inode has the name. All edits made until then are handled
 * before the next round, so a file that was replaced has been dropped by then.
 */
final class ExpiredFileCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredFileCleaner.class);

  private final Namespace namespace;
  private final ReconcilerMetrics counters;
  private final PathFailures failures;

  ExpiredFileCleaner(Namespace namespace, ReconcilerMetrics counters, PathFailures failures) {
    this.namespace = namespace;
    this.counters = counters;
    this.failures = failures;
  }

  /**
   * Runs one round. All edits made before the last round must have been handled.
   *
   * @param files the records; files that no longer exist or must not be removed are dropped
   */
  void remove(ExpirableFiles files, HintIndex index, Instant now) throws IOException {
    for (ExpirableFile file : files.all()) {
      ExpirableFile.@Nullable Seen seen = file.seen();
      if (seen == null || !now.isBefore(seen.due())) {
        check(file, files, index, now);
      }
    }
  }

  private void check(ExpirableFile file, ExpirableFiles files, HintIndex index, Instant now)
      throws IOException {
    Optional<PathInfo> found = namespace.find(file.path());
    Optional<Duration> expiry = expiry(file, index);
    // Users who may write a directory may hint at others' files below it, but not remove those.
    if (found.isEmpty()
        || expiry.isEmpty()
        || found.get().directory()
        || !found.get().owner().equals(file.owner())
        || (file.seen() != null && !file.is(found.get()))) {
      files.forget(file);
      return;
    }
    Instant due = found.get().modified().plus(expiry.get());
    if (file.seen() == null || now.isBefore(due)) {
      files.replace(file.observed(found.get().id(), due));
    } else {
      remove(file, found.get(), files);
    }
  }

  private void remove(ExpirableFile file, PathInfo info, ExpirableFiles files) throws IOException {
    LOG.info(
        "Removing {}: temporary by hint set {}, unchanged since {}",
        file.path(),
        file.set(),
        info.modified());
    try {
      namespace.delete(file.path(), info.id());
      counters.filesRemoved.incr();
    } catch (RefusedException e) {
      failures.refused(e);
    }
    files.forget(file);
  }

  /**
   * Returns how long the file must stay unchanged. Empty if it must not be removed any more,
   * because its set was changed or another rule keeps it.
   */
  private static Optional<Duration> expiry(ExpirableFile file, HintIndex index) {
    Optional<Match> match = index.lookup(file.path());
    Optional<Lifetime> lifetime = match.flatMap(found -> found.hint().lifetime());
    if (index.set(file.set()).isEmpty()) {
      boolean kept = lifetime.filter(one -> !one.temporary()).isPresent();
      return kept ? Optional.empty() : Optional.of(file.expiry());
    }
    return match
        .filter(found -> found.set().id().equals(file.set()))
        .flatMap(found -> lifetime)
        .flatMap(one -> Optional.ofNullable(one.expiry()))
        .map(one -> one.compareTo(file.expiry()) > 0 ? one : file.expiry());
  }
}
