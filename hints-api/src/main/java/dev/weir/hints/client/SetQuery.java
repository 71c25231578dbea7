package dev.weir.hints.client;

import org.jspecify.annotations.Nullable;

/**
 * Which hint sets to list.
 *
 * @param owner only those of this user; null for all
 * @param prefix only those whose id begins so; null for all
 * @param after only those with ids after this one, that is, the next page; null for the first
 * @param limit the most sets in one answer; 0 for as many as the service likes
 */
public record SetQuery(
    @Nullable String owner, @Nullable String prefix, @Nullable String after, int limit) {
  /** All sets, from the first. */
  public static final SetQuery ALL = new SetQuery(null, null, null, 0);

  /** The same, from after this id on. */
  public SetQuery after(String id) {
    return new SetQuery(owner, prefix, id, limit);
  }
}
