package dev.weir.service.database;

import dev.weir.service.part.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Who may use the database now: few calls at a time, and for a while none when it does not answer.
 * For any thread.
 */
final class DatabaseCallLimiter {
  /** For each that has a connection so many more may wait for one. */
  private static final int WAITING = 2;

  private static final int FAILURES = 3;
  private static final Duration REST = Duration.ofSeconds(5);

  private final ConcurrencyLimit few;
  private final CircuitBreaker breaker;

  /**
   * Turns that nobody has.
   *
   * @param connections how many there are
   */
  DatabaseCallLimiter(int connections, Clock clock) {
    this.few =
        new ConcurrencyLimit(
            connections,
            WAITING * connections,
            "the database of runs cannot be used: too many calls ask it at a time; try again");
    this.breaker = new CircuitBreaker(FAILURES, REST, clock);
  }

  /**
   * Does something that takes a connection.
   *
   * @throws ProblemException 503 when there is none to be had soon, and those of the work
   */
  <T> T take(Supplier<T> work) {
    return few.of(() -> attempt(work));
  }

  private <T> T attempt(Supplier<T> work) {
    if (!breaker.allows()) {
      throw Database.unavailable("it did not answer the last calls");
    }
    try {
      T answer = work.get();
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

  /** Whether the last calls were not answered. */
  boolean isStalled() {
    return breaker.isOpen();
  }
}
