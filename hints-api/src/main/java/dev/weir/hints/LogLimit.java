package dev.weir.hints;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets one log line through in a while, so that a lasting fault cannot fill a daemon's log. */
public final class LogLimit {
  private static final long NEVER = Long.MIN_VALUE;

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final AtomicLong last = new AtomicLong(NEVER);

  /**
   * A limit that lets the first line through at once.
   *
   * @param interval the least time between two lines
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  public LogLimit(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** One line a minute by the machine's clock. */
  public static LogLimit oncePerMinute() {
    return new LogLimit(Duration.ofMinutes(1), System::nanoTime);
  }

  /** Whether the caller may log now; for any thread, never waits. */
  public boolean permits() {
    long now = nanoTime.getAsLong();
    long before = last.get();
    return (before == NEVER || now - before >= intervalNanos) && last.compareAndSet(before, now);
  }
}
