package dev.weir.hints;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a file is kept.
 *
 * @param temporary whether the file can be recomputed, so that one replica is enough
 * @param expiry for a temporary file, how long after its last write it may be removed; null for
 *     never
 */
public record Lifetime(boolean temporary, @Nullable Duration expiry) {

  /** Validates the expiry. */
  public Lifetime {
    if (expiry != null && !temporary) {
      throw new InvalidHintException(
          "expiry of " + expiry + " on a file that is kept; make it temporary or drop the expiry");
    }
    if (expiry != null && (expiry.isNegative() || expiry.isZero())) {
      throw new InvalidHintException(
          "expiry of " + expiry + " is not positive; write an ISO-8601 duration such as PT12H");
    }
  }

  /** The file is kept. */
  public static Lifetime keep() {
    return new Lifetime(false, null);
  }

  /** The file can be recomputed, and its creator removes it. */
  public static Lifetime scratch() {
    return new Lifetime(true, null);
  }
}
