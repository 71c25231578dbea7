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
 */
record CreatedFile(
    String path, String set, String owner, Duration expiry, @Nullable Instant setExpires) {
  CreatedFile at(String other) {
    return new CreatedFile(other, set, owner, expiry, setExpires);
  }

  /** When it may go at the earliest, for a file that was last changed then. */
  Instant due(Instant modified) {
    return modified.plus(expiry);
  }
}
