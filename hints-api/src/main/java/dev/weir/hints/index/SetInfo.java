package dev.weir.hints.index;

import dev.weir.hints.HintSet;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a set in an index.
 *
 * @param owner the user who owns the set
 * @param expires when the set expires; null for never
 * @param bytes an estimate of its memory, see {@link SetMemory}
 * @param version the store's version at the set's last change; 0 if it is not from a store
 * @param modified the time of that change by the store's clock; the epoch if it is not from a store
 */
public record SetInfo(
    String id,
    String owner,
    @Nullable Instant expires,
    int rules,
    long bytes,
    long version,
    Instant modified) {

  public static SetInfo of(HintSet set, long version, Instant modified) {
    return new SetInfo(
        set.id(),
        set.owner(),
        set.expires(),
        set.rules().size(),
        SetMemory.bytes(set),
        version,
        modified);
  }
}
