package dev.weir.service.database;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rejects calls while the database does not answer. It opens after several failures in a row. After
 * the open time one call at a time may try. Thread-safe; never blocks.
 */
final class CircuitBreaker {
  private final int failureLimit;
  private final Duration openTime;
  private final Clock clock;
  private int failures;
  private @Nullable Instant openUntil;

  /**
   * Creates a closed breaker.
   *
   * @param failureLimit the number of failures in a row that opens it
   * @param openTime how long it rejects all calls
   */
  CircuitBreaker(int failureLimit, Duration openTime, Clock clock) {
    this.failureLimit = failureLimit;
    this.openTime = openTime;
    this.clock = clock;
  }

  /** Returns whether to call the database now. The caller then reports the outcome. */
  synchronized boolean allows() {
    if (!isOpen()) {
      return true;
    }
    Instant now = clock.instant();
    Instant closing = openUntil;
    // A later end than one open time from now means that the clock was set back.
    if (closing != null && now.isBefore(closing) && !now.plus(openTime).isBefore(closing)) {
      return false;
    }
    openUntil = now.plus(openTime);
    return true;
  }

  /** Returns whether the last calls have failed. */
  synchronized boolean isOpen() {
    return openUntil != null;
  }

  /** Reports that the database has answered. */
  synchronized void answered() {
    failures = 0;
    openUntil = null;
  }

  /** Reports that the database has not answered. */
  synchronized void failed() {
    failures++;
    if (failures >= failureLimit) {
      openUntil = clock.instant().plus(openTime);
    }
  }
}
