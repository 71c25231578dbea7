package dev.weir.hints.store;

import dev.weir.hints.index.HintIndex;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/** An index without expired sets, and the time at which the next set expires. */
record LiveIndex(HintIndex index, Instant nextExpiry) {

  /** Wraps an index without expired sets. */
  static LiveIndex of(HintIndex index) {
    Instant nextExpiry =
        index.sets().stream()
            .map(set -> set.expires())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return new LiveIndex(index, nextExpiry);
  }

  /**
   * Whether a set has expired by a clock, which is not read if nothing expires. May be a
   * millisecond early.
   */
  boolean isStale(Clock clock) {
    // Called for each block: getting milliseconds is cheaper than getting an Instant.
    return !nextExpiry.equals(Instant.MAX) && clock.millis() >= nextExpiry.toEpochMilli();
  }

  boolean isStale(Instant now) {
    return !now.isBefore(nextExpiry);
  }

  /** A copy without sets that have expired by then. */
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
