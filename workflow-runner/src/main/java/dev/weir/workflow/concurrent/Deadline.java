package dev.weir.workflow.concurrent;

import dev.weir.hints.DaemonThreadFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds the time that the caller waits for work that may block forever. */
public final class Deadline {

  private Deadline() {}

  /**
   * Runs work on a new thread, and interrupts and abandons that thread after a time limit.
   *
   * @return the result of the work; empty when the time limit has passed
   * @throws ExecutionException when the work throws
   */
  public static <T> Optional<T> within(Duration atMost, Callable<T> work)
      throws ExecutionException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    DaemonThreadFactory.named("deadline").newThread(task).start();
    try {
      return Optional.of(task.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException | CancellationException e) {
      return Optional.empty();
    } finally {
      task.cancel(true);
    }
  }
}
