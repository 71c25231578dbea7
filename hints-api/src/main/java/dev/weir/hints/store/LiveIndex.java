package dev.weir.hints.store;

import dev.weir.hints.index.HintIndex;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;

/**
 * An index of the sets that are not expired, and until when it stays right.
 *
 * @param index of the sets that count
 * @param until when the next of the sets expires
 */
record LiveIndex(HintIndex index, Instant until) {

  /**
   * @param empty the index for the right file system, without sets
   * @param sets expired ones too
   */
  static LiveIndex of(HintIndex empty, Collection<StoredSet> sets, long version, Instant now) {
    HintIndex index = empty;
    for (StoredSet stored : sets) {
      if (!stored.set().isExpired(now)) {
        index = index.with(stored.set(), stored.version(), stored.modified());
      }
    }
    return of(index.at(version));
  }

  /** Of an index that has nothing expired in it. */
  static LiveIndex of(HintIndex index) {
    Instant until =
        index.sets().stream()
            .map(set -> set.expires())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return new LiveIndex(index, until);
  }

  /** The same by a clock, which is not read when nothing expires. It may be a millisecond early. */
  boolean isStale(Clock clock) {
    // Called for each block: milliseconds are had for less than an instant.
    return !until.equals(Instant.MAX) && clock.millis() >= until.toEpochMilli();
  }

  boolean isStale(Instant now) {
    return !now.isBefore(until);
  }

  /** Without what is over by then. */
  LiveIndex at(Instant now) {
    if (!isStale(now)) {
      return this;
    }
    HintIndex rest = index;
    for (var set : index.sets()) {
      if (set.expires() != null && !now.isBefore(set.expires())) {
        rest = rest.without(set.id());
      }
    }
    return of(rest);
  }
}
