package dev.weir.service.rest;

import dev.weir.hints.store.HintStore;

/** How many sets there are of an owner, as far as is known here. */
@FunctionalInterface
interface OwnerSetCounts {
  /** Never waits; may miss what was written a moment ago. */
  long of(String owner);

  /** Those of a store. */
  static OwnerSetCounts in(HintStore store) {
    return owner ->
        store.snapshot().sets().stream().filter(set -> set.owner().equals(owner)).count();
  }
}
