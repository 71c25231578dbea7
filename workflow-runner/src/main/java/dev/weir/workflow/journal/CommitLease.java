package dev.weir.workflow.journal;

import dev.weir.hints.DaemonThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right of this ApplicationMaster to let attempts commit. YARN may have declared it lost and
 * started another one without notice. So it checks once a second for all attempts, and no attempt
 * costs a request. A check is valid for two seconds from its start, so the next ApplicationMaster
 * knows how long to wait after it has published itself ({@link MasterFencing#unsettledMillis}).
 * Thread-safe.
 */
public final class CommitLease implements AutoCloseable {

  /** How long the result of a check is valid, in milliseconds. */
  static final long VALID_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(CommitLease.class);
  private static final long PAUSE_MILLIS = 1_000;

  private final InvocationRaisingIOE check;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("commit-lease"));
  private List<Runnable> waiting = new ArrayList<>();
  private boolean checked;
  private boolean failing;

  /** When the last successful check started; undefined before the first one. */
  private long checkedNanos;

  /**
   * Creates a lease that is not held yet.
   *
   * @param check fails when another ApplicationMaster has replaced this one; may block
   */
  public CommitLease(InvocationRaisingIOE check, LongSupplier nanoTime) {
    this.check = check;
    this.nanoTime = nanoTime;
  }

  /** Returns the lease of an ApplicationMaster that is never replaced. */
  public static CommitLease unlimited() {
    CommitLease unlimited = new CommitLease(() -> {}, () -> 0);
    unlimited.checkOnce();
    return unlimited;
  }

  /**
   * Checks now and then periodically, on a thread of its own, because HDFS may block it for long.
   */
  public void start() {
    Future<?> unused =
        thread.scheduleWithFixedDelay(this::checkOnce, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Checks, and runs the waiting work if the result is still valid. */
  void checkOnce() {
    long began = nanoTime.getAsLong();
    try {
      check.apply();
    } catch (IOException | RuntimeException e) {
      // An exception would end the periodic checks.
      failed(e);
      return;
    }
    checkPassed(began).forEach(Runnable::run);
  }

  /** Logs the first of several failures in a row as a warning. */
  private synchronized void failed(Exception why) {
    if (failing) {
      LOG.debug("Attempts may still not commit", why);
    } else {
      LOG.warn("Attempts may not commit now: {}", why.toString());
    }
    failing = true;
  }

  private synchronized List<Runnable> checkPassed(long began) {
    failing = false;
    checked = true;
    checkedNanos = began;
    List<Runnable> due = isFresh() ? waiting : List.of();
    if (!due.isEmpty()) {
      waiting = new ArrayList<>();
    }
    return due;
  }

  /** Returns whether the last successful check is still valid. Does not block. */
  public synchronized boolean isFresh() {
    return checked
        && nanoTime.getAsLong() - checkedNanos < TimeUnit.MILLISECONDS.toNanos(VALID_MILLIS);
  }

  /**
   * Runs work at once if the lease is held, else after the next successful check, on any thread.
   * The work never runs when there is another ApplicationMaster. Does not block.
   */
  public void whenFresh(Runnable work) {
    synchronized (this) {
      if (!isFresh()) {
        waiting.add(work);
        return;
      }
    }
    work.run();
  }

  /** Returns a future that completes when {@link #whenFresh} would run its work, on any thread. */
  public CompletableFuture<Void> fresh() {
    CompletableFuture<Void> fresh = new CompletableFuture<>();
    whenFresh(() -> fresh.complete(null));
    return fresh;
  }

  /** Stops the checks; waiting work is not run. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
