package dev.weir.workflow.concurrent;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that begins at the time of another one and goes on by itself: it is not set forward or
 * back when the machine's is. Who tells by it how long something has taken is not misled.
 * Immutable.
 */
public final class SteadyClock extends Clock {

  private final Clock other;
  private final LongSupplier nanoTime;
  private final long beginMillis;
  private final long beginNanos;

  /**
   * Begins.
   *
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public SteadyClock(Clock other, LongSupplier nanoTime) {
    this(other, nanoTime, other.millis(), nanoTime.getAsLong());
  }

  private SteadyClock(Clock other, LongSupplier nanoTime, long beginMillis, long beginNanos) {
    this.other = other;
    this.nanoTime = nanoTime;
    this.beginMillis = beginMillis;
    this.beginNanos = beginNanos;
  }

  @Override
  public long millis() {
    return beginMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beginNanos);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return other.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new SteadyClock(other.withZone(zone), nanoTime, beginMillis, beginNanos);
  }
}
