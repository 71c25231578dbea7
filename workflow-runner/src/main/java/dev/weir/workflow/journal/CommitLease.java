package dev.weir.workflow.journal;

import dev.weir.workflow.concurrent.DaemonThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this ApplicationMaster is still the one that may let attempts commit. YARN may have taken
 * it for dead and started another, and nothing tells it so: it looks by itself, once a second for
 * all that depends on it, so that no attempt costs a question. What a look has found is good for
 * two seconds from its beginning, so the next ApplicationMaster knows how long to wait after it has
 * said that it is there ({@link MasterFencing#unsettledMillis}). Thread-safe.
 */
public final class CommitLease implements AutoCloseable {

  /** How long what a look has found is good, in milliseconds. */
  static final long GOOD_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(CommitLease.class);
  private static final long PAUSE_MILLIS = 1_000;

  private final Look look;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("tenure"));
  private List<Runnable> waiting = new ArrayList<>();
  private boolean known;
  private boolean failing;

  /** When the last look began that found no other; means nothing before there was one. */
  private long goodNanos;

  /** Finds out whether there is another ApplicationMaster. */
  public interface Look {

    /**
     * Looks; may block.
     *
     * @throws IOException when there is another, or it cannot be found out now
     */
    void look() throws IOException;
  }

  /**
   * One of which nothing is known yet.
   *
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public CommitLease(Look look, LongSupplier nanoTime) {
    this.look = look;
    this.nanoTime = nanoTime;
  }

  /** That of an ApplicationMaster that nobody replaces. */
  public static CommitLease unlimited() {
    CommitLease unlimited = new CommitLease(() -> {}, () -> 0);
    unlimited.lookOnce();
    return unlimited;
  }

  /** Looks now, and again and again, on a thread of its own: HDFS may keep that for long. */
  public void start() {
    Future<?> unused =
        thread.scheduleWithFixedDelay(this::lookOnce, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks, and has what waited for it done if what was found is still good. */
  void lookOnce() {
    long began = nanoTime.getAsLong();
    try {
      look.look();
    } catch (IOException | RuntimeException e) {
      // An exception would be the end of the looks.
      failed(e);
      return;
    }
    found(began).forEach(Runnable::run);
  }

  /** Of many failures in a row the first is told. */
  private synchronized void failed(Exception why) {
    if (failing) {
      LOG.debug("No attempt is let commit yet", why);
    } else {
      LOG.warn("No attempt is let commit now: {}", why.toString());
    }
    failing = true;
  }

  private synchronized List<Runnable> found(long began) {
    failing = false;
    known = true;
    goodNanos = began;
    List<Runnable> due = isFresh() ? waiting : List.of();
    if (!due.isEmpty()) {
      waiting = new ArrayList<>();
    }
    return due;
  }

  /** Whether a look that began a moment ago has found no other. Does not block. */
  public synchronized boolean isFresh() {
    return known && nanoTime.getAsLong() - goodNanos < TimeUnit.MILLISECONDS.toNanos(GOOD_MILLIS);
  }

  /**
   * Does something at once if no other is known of, else after the look that finds none, on any
   * thread; never when there is another. Does not block.
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

  /** Completes when {@link #whenFresh} would do something, on any thread. */
  public CompletableFuture<Void> fresh() {
    CompletableFuture<Void> sure = new CompletableFuture<>();
    whenFresh(() -> sure.complete(null));
    return sure;
  }

  /** Looks no more: what waits is not done. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
