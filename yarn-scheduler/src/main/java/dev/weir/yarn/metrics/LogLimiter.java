package dev.weir.yarn.metrics;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets a log message pass at most once a minute. Does not use the class of weir-hints-api, which
 * may be missing in a ResourceManager. Thread-safe.
 */
public final class LogLimiter {
  private static final long EVERY_MILLIS = 60_000;

  private final AtomicLong next = new AtomicLong();

  /** Whether the message may be logged now. If so, further ones are suppressed for a minute. */
  public boolean permits(long nowMillis) {
    long due = next.get();
    return nowMillis >= due && next.compareAndSet(due, nowMillis + EVERY_MILLIS);
  }
}
