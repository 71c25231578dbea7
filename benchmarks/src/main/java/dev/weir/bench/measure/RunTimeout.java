package dev.weir.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends work that takes too long, because a run that never ends would use the time of all later
 * ones.
 */
public final class RunTimeout {
  private RunTimeout() {}

  /** Work that may take too long. */
  @FunctionalInterface
  public interface Work<T> {
    /**
     * Runs the work.
     *
     * @throws IOException if it fails
     */
    T run() throws IOException, InterruptedException;
  }

  /** Ends the work, on another thread. */
  @FunctionalInterface
  public interface End {
    /**
     * Makes the work end soon.
     *
     * @throws IOException if that fails
     */
    void now() throws IOException;
  }

  /**
   * Runs the work on this thread.
   *
   * @param limit the longest duration
   * @param label the name of the work in messages
   * @param end called after the limit
   * @throws IOException if the work took too long, or failed
   */
  public static <T> T within(Duration limit, String label, End end, Work<T> work)
      throws IOException, InterruptedException {
    AtomicBoolean late = new AtomicBoolean();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> unused =
          timer.schedule(
              () -> {
                late.set(true);
                end.now();
                return true;
              },
              limit.toNanos(),
              TimeUnit.NANOSECONDS);
      T result = work.run();
      if (late.get()) {
        throw new IOException("it ended too late");
      }
      return result;
    } catch (IOException e) {
      throw late.get()
          ? new IOException(
              label + ": not finished after " + limit.toMinutes() + " minutes, so it was ended", e)
          : e;
    } finally {
      timer.shutdownNow();
    }
  }
}
