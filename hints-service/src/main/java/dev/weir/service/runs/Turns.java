package dev.weir.service.runs;

import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Who may use the database now. Its calls come on the threads of the web server, which hints need
 * as well: so many have a connection, a few more wait for one for a moment, and all others are
 * answered at once. For any thread.
 */
final class Turns {
  /** How long a call waits for a connection. */
  static final Duration WAIT = Duration.ofSeconds(2);

  /** For each that has a connection so many more may wait. */
  private static final int WAITING = 2;

  private static final int FAILURES = 3;
  private static final Duration REST = Duration.ofSeconds(5);

  private final Semaphore inside;
  private final Semaphore connections;
  private final Breaker breaker;

  /**
   * Turns that nobody has.
   *
   * @param connections how many there are
   */
  Turns(int connections, Clock clock) {
    this.inside = new Semaphore(connections + WAITING * connections);
    this.connections = new Semaphore(connections, true);
    this.breaker = new Breaker(FAILURES, REST, clock);
  }

  /**
   * Does something that takes a connection.
   *
   * @throws ProblemException 503 when there is none to be had soon, and those of the work
   */
  <T> T take(Supplier<T> work) {
    if (!inside.tryAcquire()) {
      throw Database.unavailable("too many calls ask it at a time");
    }
    try {
      if (!connections.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw Database.unavailable("too many calls ask it at a time, and it is slow");
      }
      try {
        return attempt(work);
      } finally {
        connections.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(Problem.unavailable("the service is stopping"), e);
    } finally {
      inside.release();
    }
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
