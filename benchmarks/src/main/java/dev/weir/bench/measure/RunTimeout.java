package dev.weir.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends what takes too long: a run that never ends would take all later ones their time. */
final class RunTimeout {
  private RunTimeout() {}

  /** What may take too long. */
  @FunctionalInterface
  interface Work<T> {
    /**
     * Does it.
     *
     * @throws IOException when it fails
     */
    T done() throws IOException, InterruptedException;
  }

  /** What ends it, on another thread. */
  @FunctionalInterface
  interface End {
    /**
     * Has the work end soon.
     *
     * @throws IOException when that fails
     */
    void now() throws IOException;
  }

  /**
   * Does something on this thread.
   *
   * @param limit how long it may take
   * @param label what it is called when it takes longer
   * @param end is called then
   * @throws IOException when it took too long, or failed
   */
  static <T> T within(Duration limit, String label, End end, Work<T> work)
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
      T result = work.done();
      if (late.get()) {
        throw new IOException("it came to its end too late");
      }
      return result;
    } catch (IOException e) {
      throw late.get()
          ? new IOException(
              label + ": not done after " + limit.toMinutes() + " minutes, and ended", e)
          : e;
    } finally {
      timer.shutdownNow();
    }
  }
}
