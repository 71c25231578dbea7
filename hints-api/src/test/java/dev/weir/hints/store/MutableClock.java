package dev.weir.hints.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test advances. */
public final class MutableClock extends Clock {
  private volatile Instant now;

  /** Creates a clock that stands at a time. */
  public MutableClock(Instant start) {
    this.now = start;
  }

  /** Advances the clock. */
  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("the tests need no other zone");
  }
}
