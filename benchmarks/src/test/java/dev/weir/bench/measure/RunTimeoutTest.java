package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RunTimeoutTest {
  private static final Duration LONG = Duration.ofMinutes(30);

  @Test
  void returnsTheResultInTime() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);

    assertThat(RunTimeout.within(LONG, "reduce, weir", ended::countDown, () -> "record"))
        .isEqualTo("record");
    assertThat(ended.getCount()).isEqualTo(1);
  }

  @Test
  void passesOnAFailureInTime() {
    assertThatIOException()
        .isThrownBy(
            () ->
                RunTimeout.within(
                    LONG,
                    "reduce, weir",
                    () -> {},
                    () -> {
                      throw new IOException("no worker");
                    }))
        .withMessage("no worker");
  }

  @Test
  void endsWorkAfterTheLimitAndNamesIt() {
    CountDownLatch killed = new CountDownLatch(1);

    assertThatIOException()
        .isThrownBy(
            () ->
                RunTimeout.within(
                    Duration.ofMillis(1),
                    "reduce, weir",
                    killed::countDown,
                    () -> {
                      killed.await();
                      throw new IOException("left no record");
                    }))
        .withMessageContaining("reduce, weir: not finished")
        .withStackTraceContaining("left no record");
  }
}
