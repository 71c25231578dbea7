package dev.weir.bench.series;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Says when no further run is to be begun. Any thread may ask. */
public final class TimeBudget {
  private final LongSupplier nanoTime;
  private final long begin;
  private final long nanos;

  /**
   * Begins now.
   *
   * @param minutes how long runs may be begun; 0 for as long as there are any
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @throws IllegalArgumentException when it is less than none
   */
  public TimeBudget(int minutes, LongSupplier nanoTime) {
    if (minutes < 0) {
      throw new IllegalArgumentException(minutes + " minutes: give 1 or more, or leave it out");
    }
    this.nanoTime = nanoTime;
    this.begin = nanoTime.getAsLong();
    this.nanos = minutes == 0 ? Long.MAX_VALUE : TimeUnit.MINUTES.toNanos(minutes);
  }

  /** Whether the time is over. */
  public boolean isOver() {
    return nanoTime.getAsLong() - begin >= nanos;
  }
}
