package dev.weir.hints.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The pause after a service did not answer: one second at first, doubled with each further failure,
 * up to half a minute. Clients of several users may share it, since an unavailable service affects
 * all. Thread-safe.
 */
public final class ServiceBackoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private long failures;
  private long started;
  private long until;
  private volatile boolean active;

  /**
   * Creates a backoff without failures.
   *
   * @param nanoTime nanoseconds from any origin
   */
  public ServiceBackoff(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether the service must not be called now. Cheap while there are no failures. */
  boolean isActive() {
    return active && isWithinPause();
  }

  private synchronized boolean isWithinPause() {
    return nanoTime.getAsLong() - until < 0;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  void succeeded() {
    if (active) {
      reset();
    }
  }

  private synchronized void reset() {
    active = false;
    failures = 0;
  }

  /**
   * Records a missing answer. Several concurrent calls without answers count as one failure.
   *
   * @param sentNanos when the call was made
   * @return the length of the pause
   */
  synchronized Duration failed(long sentNanos) {
    if (failures == 0 || sentNanos - started >= 0) {
      long doublings = Math.min(failures, 10);
      failures++;
      started = nanoTime.getAsLong();
      until = started + length(doublings).toNanos();
      active = true;
    }
    return Duration.ofNanos(until - started);
  }

  private static Duration length(long doublings) {
    Duration pause = FIRST.multipliedBy(1L << doublings);
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
