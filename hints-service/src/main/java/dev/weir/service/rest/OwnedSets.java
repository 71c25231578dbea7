package dev.weir.service.rest;

/** How many sets there are of an owner, as far as is known here. */
@FunctionalInterface
interface OwnedSets {
  /** Never waits; may miss what was written a moment ago. */
  long of(String owner);
}
