package dev.weir.workflow.concurrent;

import dev.weir.hints.DaemonThreadFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic tasks of an ApplicationMaster on two threads. Tasks that call HDFS have a
 * thread of their own: the client blocks it while the NameNode is unavailable. The other thread
 * still replaces lost workers and detects slow tasks meanwhile. Thread-safe.
 */
public final class PeriodicTasks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("periodic"));
  private final ScheduledExecutorService hdfs =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("periodic-hdfs"));

  /**
   * Runs non-blocking work periodically, with a pause in milliseconds; a failed round does not stop
   * the later ones.
   */
  public void every(long millis, Runnable work) {
    Future<?> unused =
        timer.scheduleWithFixedDelay(() -> runLogged(work), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Logs exceptions: the executor would silently cancel the later rounds after one. */
  private static void runLogged(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.warn("A periodic task failed; the next round runs it again", e);
    }
  }

  /** Runs non-blocking work once, after a delay in milliseconds. */
  public void after(long millis, Runnable work) {
    Future<?> unused = timer.schedule(work, millis, TimeUnit.MILLISECONDS);
  }

  /** Returns the executor for work that may block on HDFS. */
  public ScheduledExecutorService hdfs() {
    return hdfs;
  }

  /** Shuts both threads down and interrupts running work. Idempotent. */
  @Override
  public void close() {
    timer.shutdownNow();
    hdfs.shutdownNow();
  }
}
