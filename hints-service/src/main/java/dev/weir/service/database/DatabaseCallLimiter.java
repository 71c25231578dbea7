package dev.weir.service.database;

import dev.weir.service.part.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Limits the use of the database: a few concurrent calls, and none for a while after it stopped
 * answering. Thread-safe.
 */
final class DatabaseCallLimiter {
  /** The number of calls that may wait per connection. */
  private static final int WAITING = 2;

  private static final int FAILURES = 3;
  private static final Duration OPEN_TIME = Duration.ofSeconds(5);

  private final ConcurrencyLimit concurrency;
  private final CircuitBreaker breaker;

  /**
   * Creates a limiter.
   *
   * @param connections the number of connections
   */
  DatabaseCallLimiter(int connections, Clock clock) {
    this.concurrency =
        new ConcurrencyLimit(
            connections,
            WAITING * connections,
            "the database of runs cannot be used: too many concurrent calls; try again");
    this.breaker = new CircuitBreaker(FAILURES, OPEN_TIME, clock);
  }

  /**
   * Runs an action that needs a connection.
   *
   * @throws ProblemException 503 if none becomes available in time, and those of the action
   */
  <T> T call(Supplier<T> action) {
    return concurrency.run(() -> attempt(action));
  }

  private <T> T attempt(Supplier<T> action) {
    if (!breaker.allows()) {
      throw Database.unavailable("it did not answer the last calls");
    }
    try {
      T answer = action.get();
      breaker.answered();
      return answer;
    } catch (RuntimeException e) {
      if (SqlFailures.isLost(e)) {
        breaker.failed();
      } else {
        breaker.answered();
      }
      throw e;
    }
  }

  /** Returns whether the last calls were not answered. */
  boolean isStalled() {
    return breaker.isOpen();
  }
}
