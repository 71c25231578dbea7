package dev.weir.hints.client;

import org.jspecify.annotations.Nullable;

/**
 * Selects hint sets to list.
 *
 * @param owner only sets of this user; null for all
 * @param prefix only sets whose id starts with this; null for all
 * @param after only sets with ids after this, as on the next page; null for the first
 * @param limit the most sets in one answer; 0 for the service's default
 */
public record SetQuery(
    @Nullable String owner, @Nullable String prefix, @Nullable String after, int limit) {
  /** All sets, from the first. */
  public static final SetQuery ALL = new SetQuery(null, null, null, 0);

  /** A copy that continues after an id. */
  public SetQuery after(String id) {
    return new SetQuery(owner, prefix, id, limit);
  }
}
