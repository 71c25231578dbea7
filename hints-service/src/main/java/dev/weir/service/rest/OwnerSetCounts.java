package dev.weir.service.rest;

import dev.weir.hints.store.HintStore;

/** Counts the sets of an owner in this instance's index. */
@FunctionalInterface
interface OwnerSetCounts {
  /** Returns the count. Never blocks; may miss the latest writes. */
  long of(String owner);

  static OwnerSetCounts in(HintStore store) {
    return owner ->
        store.snapshot().sets().stream().filter(set -> set.owner().equals(owner)).count();
  }
}
