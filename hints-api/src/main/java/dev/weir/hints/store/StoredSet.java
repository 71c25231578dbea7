package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import java.time.Instant;

/**
 * A set in a store.
 *
 * @param set the set, expired or not
 * @param version of its last change, see {@link HintStore}; the argument of {@link
 *     HintStore#put(HintSet, long)}
 * @param modified the time of that change, by the store's clock
 */
public record StoredSet(HintSet set, long version, Instant modified) {}
