package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class LookupCircuitBreakerTest {

  private final IOException noAnswer = new EOFException("gone");

  private final LookupCircuitBreaker breaker = new LookupCircuitBreaker();

  @Test
  void afterSomeInARowWithoutAnAnswerOneASecondIsLetThrough() {
    fail("alice", LookupCircuitBreaker.IN_A_ROW - 1);
    assertThat(breaker.mayAsk("alice", 0)).isTrue();
    fail("alice", 1);

    assertThat(breaker.mayAsk("alice", 0)).isFalse();
    assertThat(breaker.mayAsk("alice", LookupCircuitBreaker.PAUSE_MILLIS - 1)).isFalse();
    assertThat(breaker.mayAsk("alice", LookupCircuitBreaker.PAUSE_MILLIS)).isTrue();
    assertThat(breaker.mayAsk("alice", LookupCircuitBreaker.PAUSE_MILLIS))
        .as("the next one")
        .isFalse();
    assertThat(breaker.mayAsk("alice", 2 * LookupCircuitBreaker.PAUSE_MILLIS)).isTrue();
  }

  @Test
  void anAnswerEndsIt() {
    fail("alice", LookupCircuitBreaker.IN_A_ROW);
    breaker.answered("alice");

    assertThat(breaker.mayAsk("alice", 0)).isTrue();
    fail("alice", LookupCircuitBreaker.IN_A_ROW - 1);
    assertThat(breaker.mayAsk("alice", 0)).isTrue();
  }

  @Test
  void aRefusalAndAFaultOfOursAreNoOutage() {
    for (Throwable error :
        List.of(
            new FileNotFoundException("/a"),
            new RemoteException("java.lang.Exception", "no"),
            new IllegalStateException("broken"),
            new NoClassDefFoundError("missing"))) {
      fail("alice", LookupCircuitBreaker.IN_A_ROW);
      breaker.failed("alice", error, 0);

      assertThat(breaker.mayAsk("alice", 0)).as(error.toString()).isTrue();
    }
  }

  @Test
  void whatOneUserCannotReachAnotherMay() {
    fail("alice", LookupCircuitBreaker.IN_A_ROW);

    assertThat(breaker.mayAsk("bob", 0)).isTrue();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 5_000; i++) {
      fail("user" + i, LookupCircuitBreaker.IN_A_ROW);
    }

    assertThat(breaker.mayAsk("user0", 0)).isTrue();
    assertThat(breaker.mayAsk("user4999", 0)).isFalse();
  }

  @Test
  void theCacheAsksSeldomOfWhatDoesNotAnswer() {
    List<String> asked = new ArrayList<>();
    boolean[] broken = {true};
    ManualClock clock = new ManualClock();
    LocationCache cache =
        new LocationCache(
            (user, paths) -> {
              asked.addAll(paths);
              if (broken[0]) {
                throw noAnswer;
              }
              return Map.of("h1", 1L);
            },
            Runnable::run,
            clock,
            new AskMetrics(),
            LocationCache.MAX_WEIGHT);
    for (int i = 0; i < 100; i++) {
      assertThat(cache.locate("alice", FilesResourceName.parse("weir:/d" + i + "/part")))
          .isInstanceOf(LocationResult.Unknown.class);
    }
    assertThat(asked).hasSize(LookupCircuitBreaker.IN_A_ROW);
    assertThat(cache.stalled("alice", 1_500)).as("no ask is kept back").isTrue();
    assertThat(cache.stalled("bob", 1_500)).isFalse();

    broken[0] = false;
    clock.advance(LookupCircuitBreaker.PAUSE_MILLIS);
    for (int i = 100; i < 200; i++) {
      assertThat(cache.locate("alice", FilesResourceName.parse("weir:/d" + i + "/part")))
          .isInstanceOf(LocationResult.Found.class);
    }
    assertThat(asked).hasSize(LookupCircuitBreaker.IN_A_ROW + 100);
    assertThat(cache.stalled("alice", 1_500)).isFalse();
  }

  private void fail(String user, int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed(user, noAnswer, 0);
    }
  }
}
