package dev.weir.service.database;

import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Work that few calls do at a time. They come on the threads of the web server, which hints need as
 * well: so many do it, a few more wait for a moment until it is their turn, and all others are
 * answered at once. For any thread.
 */
public final class ConcurrencyLimit {
  /** How long a call waits for its turn. */
  static final Duration WAIT = Duration.ofSeconds(2);

  private final Semaphore inside;
  private final Semaphore places;
  private final String full;

  /**
   * So many at a time.
   *
   * @param places how many
   * @param waiting how many more may wait
   * @param full what the others are told
   */
  public ConcurrencyLimit(int places, int waiting, String full) {
    this.inside = new Semaphore(places + waiting);
    this.places = new Semaphore(places, true);
    this.full = full;
  }

  /**
   * What is done.
   *
   * @param <T> what comes of it
   * @param <E> how it fails
   */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    /** Does it. */
    T apply() throws E;
  }

  /**
   * Does it when it is the caller's turn.
   *
   * @throws ProblemException 503 when that is not soon, and those of the work
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
