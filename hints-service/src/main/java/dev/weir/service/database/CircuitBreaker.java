package dev.weir.service.database;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls from a database that does not answer: after some failures in a row nobody asks it for
 * a while, and then one call at a time finds out. For any thread; never waits.
 */
final class CircuitBreaker {
  private final int most;
  private final Duration rest;
  private final Clock clock;
  private int failures;
  private @Nullable Instant until;

  /**
   * One that lets calls through.
   *
   * @param most so many failures in a row open it
   * @param rest for so long nobody asks after that
   */
  CircuitBreaker(int most, Duration rest, Clock clock) {
    this.most = most;
    this.rest = rest;
    this.clock = clock;
  }

  /** Whether to ask now; whoever is let through says what came of it. */
  synchronized boolean allows() {
    if (!isOpen()) {
      return true;
    }
    Instant now = clock.instant();
    Instant end = until;
    // An end that is further ahead than the rest is of a clock that was set back since.
    if (end != null && now.isBefore(end) && !now.plus(rest).isBefore(end)) {
      return false;
    }
    until = now.plus(rest);
    return true;
  }

  /** Whether the last calls have failed. */
  synchronized boolean isOpen() {
    return until != null;
  }

  /** The database has answered. */
  synchronized void answered() {
    failures = 0;
    until = null;
  }

  /** The database has not answered. */
  synchronized void failed() {
    failures++;
    if (failures >= most) {
      until = clock.instant().plus(rest);
    }
  }
}
