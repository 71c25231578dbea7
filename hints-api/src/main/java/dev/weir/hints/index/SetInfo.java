package dev.weir.hints.index;

import dev.weir.hints.HintSet;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an index knows of a set besides its rules.
 *
 * @param id names the set
 * @param owner the user on whose behalf the advice is given
 * @param expires from when on the set counts as removed; null for never
 * @param rules how many rules the set has
 * @param version the version of the store at the set's last change; 0 when it is from no store
 * @param modified when that was, by the store's clock; the epoch when it is from no store
 */
public record SetInfo(
    String id, String owner, @Nullable Instant expires, int rules, long version, Instant modified) {

  /** What is to be known of a set. */
  public static SetInfo of(HintSet set, long version, Instant modified) {
    return new SetInfo(set.id(), set.owner(), set.expires(), set.rules().size(), version, modified);
  }
}
