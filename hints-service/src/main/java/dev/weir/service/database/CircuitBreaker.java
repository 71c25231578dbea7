package dev.weir.service.database;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls from a database that does not answer. After several failures in a row no call is let
 * through for a while; then one call at a time tries again. Thread-safe; never blocks.
 */
final class CircuitBreaker {
  private final int most;
  private final Duration rest;
  private final Clock clock;
  private int failures;
  private @Nullable Instant until;

  /**
   * Creates a closed breaker.
   *
   * @param most the number of failures in a row that opens it
   * @param rest how long it lets no call through
   */
  CircuitBreaker(int most, Duration rest, Clock clock) {
    this.most = most;
    this.rest = rest;
    this.clock = clock;
  }

  /** Returns whether to call the database now. The caller then reports the outcome. */
  synchronized boolean allows() {
    if (!isOpen()) {
      return true;
    }
    Instant now = clock.instant();
    Instant end = until;
    // An end further ahead than the rest means that the clock was set back.
    if (end != null && now.isBefore(end) && !now.plus(rest).isBefore(end)) {
      return false;
    }
    until = now.plus(rest);
    return true;
  }

  /** Returns whether the last calls have failed. */
  synchronized boolean isOpen() {
    return until != null;
  }

  /** Reports that the database has answered. */
  synchronized void answered() {
    failures = 0;
    until = null;
  }

  /** Reports that the database has not answered. */
  synchronized void failed() {
    failures++;
    if (failures >= most) {
      until = clock.instant().plus(rest);
    }
  }
}
