package dev.weir.service.database;

import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of concurrent calls. Calls run on the threads of the web server, which hints
 * need too. A few more calls wait for a moment, and all others are refused at once. Thread-safe.
 */
public final class ConcurrencyLimit {
  /** How long a call waits for its turn. */
  static final Duration WAIT = Duration.ofSeconds(2);

  private final Semaphore inside;
  private final Semaphore places;
  private final String full;

  /**
   * Creates a limit.
   *
   * @param places the number of concurrent calls
   * @param waiting how many more may wait
   * @param full the message for the others
   */
  public ConcurrencyLimit(int places, int waiting, String full) {
    this.inside = new Semaphore(places + waiting);
    this.places = new Semaphore(places, true);
    this.full = full;
  }

  /**
   * An action.
   *
   * @param <T> its result
   * @param <E> its exception
   */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    /** Runs the action. */
    T apply() throws E;
  }

  /**
   * Runs an action when a place is free.
   *
   * @throws ProblemException 503 if no place becomes free in time, and those of the action
   */
  public <T, E extends Exception> T of(Work<T, E> work) throws E {
    if (!inside.tryAcquire()) {
      throw new ProblemException(Problem.unavailable(full));
    }
    try {
      await();
      try {
        return work.apply();
      } finally {
        places.release();
      }
    } finally {
      inside.release();
    }
  }

  private void await() {
    try {
      if (!places.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ProblemException(Problem.unavailable(full));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(Problem.unavailable("the service is stopping"), e);
    }
  }
}
