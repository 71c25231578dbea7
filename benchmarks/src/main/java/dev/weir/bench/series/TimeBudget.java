package dev.weir.bench.series;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Decides when no further run may start. Thread-safe. */
public final class TimeBudget {
  private final LongSupplier nanoTime;
  private final long begin;
  private final long nanos;

  /**
   * Starts the budget.
   *
   * @param minutes how long runs may start; 0 for no limit
   * @param nanoTime a monotonic clock, in nanoseconds
   * @throws IllegalArgumentException if it is negative
   */
  public TimeBudget(int minutes, LongSupplier nanoTime) {
    if (minutes < 0) {
      throw new IllegalArgumentException(minutes + " minutes: give 1 or more, or leave it out");
    }
    this.nanoTime = nanoTime;
    this.begin = nanoTime.getAsLong();
    this.nanos = minutes == 0 ? Long.MAX_VALUE : TimeUnit.MINUTES.toNanos(minutes);
  }

  public boolean isOver() {
    return nanoTime.getAsLong() - begin >= nanos;
  }
}
