package dev.weir.hints.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * For how long a service that gives no answer is left alone: a second at first, and twice as long
 * each time that it gives none again, up to half a minute. May be shared by clients of several
 * users, for it is the service that is away. For any thread.
 */
public final class ServiceBackoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private long failures;
  private long begun;
  private long until;
  private volatile boolean resting;

  /**
   * No rest yet.
   *
   * @param nanoTime nanoseconds from any moment
   */
  public ServiceBackoff(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether nothing is to be asked now. Costs next to nothing while all is well. */
  boolean lasts() {
    return resting && stillLasts();
  }

  private synchronized boolean stillLasts() {
    return nanoTime.getAsLong() - until < 0;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** There was an answer. */
  void end() {
    if (resting) {
      wake();
    }
  }

  private synchronized void wake() {
    resting = false;
    failures = 0;
  }

  /**
   * There was no answer. Several questions at one time that have none are one failure.
   *
   * @param askedNanos when it was asked
   * @return how long the rest is
   */
  synchronized Duration begin(long askedNanos) {
    if (failures == 0 || askedNanos - begun >= 0) {
      long doublings = Math.min(failures, 10);
      failures++;
      begun = nanoTime.getAsLong();
      until = begun + length(doublings).toNanos();
      resting = true;
    }
    return Duration.ofNanos(until - begun);
  }

  private static Duration length(long doublings) {
    Duration rest = FIRST.multipliedBy(1L << doublings);
    return rest.compareTo(LONGEST) > 0 ? LONGEST : rest;
  }
}
