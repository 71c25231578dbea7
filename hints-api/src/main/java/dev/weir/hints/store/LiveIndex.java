package dev.weir.hints.store;

import dev.weir.hints.HintIndex;
import dev.weir.hints.HintSet;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * An index of the sets that are not expired, and until when it stays right.
 *
 * @param index of the sets that count
 * @param sets all sets, expired ones too
 * @param taken at what time
 * @param until when the next of the sets expires
 */
record LiveIndex(HintIndex index, List<HintSet> sets, Instant taken, Instant until) {

  static LiveIndex of(Collection<HintSet> sets, long version, Instant now) {
    List<HintSet> live = sets.stream().filter(set -> !set.isExpired(now)).toList();
    Instant until =
        live.stream()
            .map(HintSet::expires)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return new LiveIndex(HintIndex.of(live, version), List.copyOf(sets), now, until);
  }

  /** How many sets are in the index. */
  int liveSets() {
    return (int) sets.stream().filter(set -> !set.isExpired(taken)).count();
  }

  boolean isStale(Instant now) {
    return !now.isBefore(until);
  }

  LiveIndex at(Instant now) {
    return of(sets, index.version(), now);
  }
}
