package dev.weir.service.database;

import dev.weir.service.part.ProblemException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of concurrent calls. Calls run on threads of the web server, which calls on
 * hints need too. A few more calls wait for a limited time, and all others are refused at once.
 * Thread-safe.
 */
public final class ConcurrencyLimit {
  /** How long a call waits for a permit. */
  static final Duration WAIT = Duration.ofSeconds(2);

  private final Semaphore admitted;
  private final Semaphore permits;
  private final String refusal;

  /**
   * Creates a limit.
   *
   * @param permits the number of concurrent calls
   * @param waiting how many more may wait
   * @param refusal the message for the others
   */
  public ConcurrencyLimit(int permits, int waiting, String refusal) {
    this.admitted = new Semaphore(permits + waiting);
    this.permits = new Semaphore(permits, true);
    this.refusal = refusal;
  }

  /**
   * An action.
   *
   * @param <E> its exception
   */
  @FunctionalInterface
  public interface Action<T, E extends Exception> {
    T apply() throws E;
  }

  /**
   * Runs an action with a permit.
   *
   * @throws ProblemException 503 if there is no permit in time, and those of the action
   */
  public <T, E extends Exception> T run(Action<T, E> action) throws E {
    if (!admitted.tryAcquire()) {
      throw ProblemException.unavailable(refusal);
    }
    try {
      await();
      try {
        return action.apply();
      } finally {
        permits.release();
      }
    } finally {
      admitted.release();
    }
  }

  private void await() {
    try {
      if (!permits.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw ProblemException.unavailable(refusal);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.unavailable("the service is stopping").because(e);
    }
  }
}
