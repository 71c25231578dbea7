package dev.weir.workflow.concurrent;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that starts at the time of another clock and then follows a monotonic time source.
 * Setting the machine's clock does not change it, so durations measured with it are right.
 * Immutable.
 */
public final class SteadyClock extends Clock {

  private final Clock other;
  private final LongSupplier nanoTime;
  private final long beginMillis;
  private final long beginNanos;

  /** Creates a clock that starts now. */
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
