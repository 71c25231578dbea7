package dev.weir.workflow.concurrent;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an ApplicationMaster does every so often, on two threads. What asks HDFS has one to itself:
 * a NameNode that is away holds it for as long as the client tries, and meanwhile lost workers are
 * to be replaced, and slow tasks to be seen, all the same. Thread-safe.
 */
public final class PeriodicTasks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("rounds"));
  private final ScheduledExecutorService hdfs =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("status"));

  /**
   * Does something that does not block, again and again, with a pause in milliseconds, whether it
   * fails or not.
   */
  public void every(long millis, Runnable work) {
    Future<?> unused =
        timer.scheduleWithFixedDelay(() -> goOnAfter(work), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** An exception would be the end of it, without a word: the next round may do better. */
  private static void goOnAfter(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.warn("Something is left to the next round", e);
    }
  }

  /** Does something that does not block, once, after a time in milliseconds. */
  public void after(long millis, Runnable work) {
    Future<?> unused = timer.schedule(work, millis, TimeUnit.MILLISECONDS);
  }

  /** Does something that may wait for HDFS, likewise. */
  public void everyOfHdfs(long millis, Runnable work) {
    Future<?> unused =
        hdfs.scheduleWithFixedDelay(() -> goOnAfter(work), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** For what may wait for HDFS. */
  public ScheduledExecutorService hdfs() {
    return hdfs;
  }

  /** Ends both, without what is on its way. Idempotent. */
  @Override
  public void close() {
    timer.shutdownNow();
    hdfs.shutdownNow();
  }
}
