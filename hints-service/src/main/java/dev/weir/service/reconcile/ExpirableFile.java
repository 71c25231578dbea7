package dev.weir.service.reconcile;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that was created under a temporary rule with an expiry, and so may be removed.
 *
 * @param path its present path
 * @param set the set of the rule
 * @param owner the user on whose behalf the rule is: only a file of the same user may be removed
 * @param expiry how long after its last change it may be removed
 * @param setExpires when the set was to expire; null for never
 * @param seen what was found under its name; null when nobody has looked yet
 */
record ExpirableFile(
    String path,
    String set,
    String owner,
    Duration expiry,
    @Nullable Instant setExpires,
    @Nullable Seen seen) {
  /**
   * What was found.
   *
   * @param id the inode's
   * @param due before then it need not be looked at again
   */
  record Seen(long id, Instant due) {}

  ExpirableFile at(String other) {
    return new ExpirableFile(other, set, owner, expiry, setExpires, seen);
  }

  /** The same with what was found. */
  ExpirableFile seenAs(long id, Instant due) {
    return new ExpirableFile(path, set, owner, expiry, setExpires, new Seen(id, due));
  }

  /** Whether it is known to be that one. */
  boolean is(PathInfo facts) {
    return seen != null && seen.id() == facts.id() && !facts.directory();
  }
}
