package dev.weir.bench.measure;

import java.util.function.LongSupplier;

/** Tells how long one step after another takes. Not for several threads at once. */
public final class StepTimer {
  private static final double NANOS = 1e9;

  private final LongSupplier nanoTime;
  private long last;

  /**
   * Begins now.
   *
   * @param nanoTime a clock that never goes back, in nanoseconds
   */
  public StepTimer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.last = nanoTime.getAsLong();
  }

  /** Begins now, by the machine's clock. */
  public static StepTimer begin() {
    return new StepTimer(System::nanoTime);
  }

  /** Seconds since the last call, or since the begin. */
  public double next() {
    long now = nanoTime.getAsLong();
    double seconds = (now - last) / NANOS;
    last = now;
    return seconds;
  }
}
