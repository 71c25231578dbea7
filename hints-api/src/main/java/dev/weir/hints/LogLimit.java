package dev.weir.hints;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the rate of a log message, so that a lasting fault does not fill a daemon's log.
 * Thread-safe.
 */
public final class LogLimit {
  private static final long NEVER = Long.MIN_VALUE;

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final AtomicLong last = new AtomicLong(NEVER);

  /**
   * Creates a limit that permits the first message at once.
   *
   * @param interval the shortest time between two messages
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  public LogLimit(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** A limit of one message per minute by the machine's clock. */
  public static LogLimit oncePerMinute() {
    return new LogLimit(Duration.ofMinutes(1), System::nanoTime);
  }

  /** Whether the caller may log now. Never blocks. */
  public boolean permits() {
    long now = nanoTime.getAsLong();
    long previous = last.get();
    return (previous == NEVER || now - previous >= intervalNanos)
        && last.compareAndSet(previous, now);
  }
}
