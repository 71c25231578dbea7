package dev.weir.workflow.concurrent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what may never come to an end, within bounds. */
public final class Deadline {

  private Deadline() {}

  /**
   * Does something on a thread of its own, which is interrupted and left alone when it takes too
   * long.
   *
   * @param atMost how long it may take
   * @param work what is done
   * @return what came of it; empty when it took too long
   * @throws ExecutionException when it fails
   * @throws InterruptedException when this thread is interrupted meanwhile
   */
  public static <T> Optional<T> within(Duration atMost, Callable<T> work)
      throws ExecutionException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    DaemonThreadFactory.named("aside").newThread(task).start();
    try {
      return Optional.of(task.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException | CancellationException e) {
      return Optional.empty();
    } finally {
      task.cancel(true);
    }
  }
}
