package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import java.time.Instant;

/**
 * A set as the store has it.
 *
 * @param set the set, expired or not
 * @param version the version of its last change, see {@link HintStore}; what {@link
 *     HintStore#put(HintSet, long)} expects
 * @param modified when that was, by the store's clock
 */
public record StoredSet(HintSet set, long version, Instant modified) {}
