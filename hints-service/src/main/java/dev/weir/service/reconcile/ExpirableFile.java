package dev.weir.service.reconcile;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that was created under a temporary rule with an expiry and so may be removed.
 *
 * @param path its current path
 * @param owner the owner of the rule's set: only a file of the same user may be removed
 * @param expiry how long after its last change it may be removed
 * @param setExpires when the set was to expire; null for never
 * @param seen the last observation; null if there is none yet
 */
record ExpirableFile(
    String path,
    String set,
    String owner,
    Duration expiry,
    @Nullable Instant setExpires,
    @Nullable Seen seen) {
  /**
   * An observation.
   *
   * @param id the inode id
   * @param due the earliest time of the next check
   */
  record Seen(long id, Instant due) {}

  ExpirableFile at(String other) {
    return new ExpirableFile(other, set, owner, expiry, setExpires, seen);
  }

  ExpirableFile observed(long id, Instant due) {
    return new ExpirableFile(path, set, owner, expiry, setExpires, new Seen(id, due));
  }

  /** Returns whether a path's current file is known to be this one. */
  boolean is(PathInfo info) {
    return seen != null && seen.id() == info.id() && !info.directory();
  }
}
