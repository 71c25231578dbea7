package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogLimitTest {

  @Test
  void permitsOneMessagePerMinute() {
    AtomicLong now = new AtomicLong(-5);
    LogLimit limit = new LogLimit(Duration.ofMinutes(1), now::get);
    assertThat(limit.permits()).isTrue();
    assertThat(limit.permits()).isFalse();
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(limit.permits()).isFalse();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(limit.permits()).isTrue();
    assertThat(limit.permits()).isFalse();
  }
}
