package dev.weir.yarn.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** Lets a warning through once a minute at most, however often there is cause. For any thread. */
public final class LogLimiter {
  private static final long EVERY_MILLIS = 60_000;

  private final AtomicLong next = new AtomicLong();

  /** Whether it may be written now; then no other may be for a while. */
  public boolean permits(long nowMillis) {
    long due = next.get();
    return nowMillis >= due && next.compareAndSet(due, nowMillis + EVERY_MILLIS);
  }
}
