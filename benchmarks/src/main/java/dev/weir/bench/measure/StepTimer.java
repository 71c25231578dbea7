package dev.weir.bench.measure;

import java.util.function.LongSupplier;

/** Measures the durations of consecutive steps. Not thread-safe. */
public final class StepTimer {
  private static final double NANOS = 1e9;

  private final LongSupplier nanoTime;
  private long last;

  /**
   * Starts the timer.
   *
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public StepTimer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.last = nanoTime.getAsLong();
  }

  /** Starts a timer with the machine's clock. */
  public static StepTimer begin() {
    return new StepTimer(System::nanoTime);
  }

  /** Returns the seconds since the last call, or since the start. */
  public double next() {
    long now = nanoTime.getAsLong();
    double seconds = (now - last) / NANOS;
    last = now;
    return seconds;
  }
}
