package dev.weir.workflow.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

  private final AtomicLong nanos = new AtomicLong(-5_000_000);
  private Instant machine = Instant.parse("2026-01-01T00:00:00Z");

  /** The machine's clock, which an administrator may set. */
  private final class MachineClock extends Clock {
    @Override
    public Instant instant() {
      return machine;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void ignoresChangesOfTheMachinesClock() {
    Clock clock = new SteadyClock(new MachineClock(), nanos::get);
    assertThat(clock.instant()).isEqualTo(machine);

    nanos.addAndGet(Duration.ofSeconds(90).toNanos());
    machine = Instant.parse("2025-12-31T23:00:00Z");

    assertThat(clock.instant()).isEqualTo(Instant.parse("2026-01-01T00:01:30Z"));
    assertThat(clock.withZone(ZoneOffset.UTC).millis()).isEqualTo(clock.millis());
  }
}
