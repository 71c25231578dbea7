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
  void permitsOneLookupPerSecondAfterRepeatedFailures() {
    fail("alice", LookupCircuitBreaker.FAILURE_THRESHOLD - 1);
    assertThat(breaker.permits("alice", 0)).isTrue();
    fail("alice", 1);

    assertThat(breaker.permits("alice", 0)).isFalse();
    assertThat(breaker.permits("alice", LookupCircuitBreaker.PAUSE_MILLIS - 1)).isFalse();
    assertThat(breaker.permits("alice", LookupCircuitBreaker.PAUSE_MILLIS)).isTrue();
    assertThat(breaker.permits("alice", LookupCircuitBreaker.PAUSE_MILLIS))
        .as("the next lookup")
        .isFalse();
    assertThat(breaker.permits("alice", 2 * LookupCircuitBreaker.PAUSE_MILLIS)).isTrue();
  }

  @Test
  void anAnswerClosesIt() {
    fail("alice", LookupCircuitBreaker.FAILURE_THRESHOLD);
    breaker.ended("alice", 0, null, 0);

    assertThat(breaker.permits("alice", 0)).isTrue();
    fail("alice", LookupCircuitBreaker.FAILURE_THRESHOLD - 1);
    assertThat(breaker.permits("alice", 0)).isTrue();
  }

  @Test
  void refusalsAndInternalErrorsAreNoOutage() {
    for (Throwable error :
        List.of(
            new FileNotFoundException("/a"),
            new RemoteException("java.lang.Exception", "no"),
            new IllegalStateException("broken"),
            new NoClassDefFoundError("missing"))) {
      fail("alice", LookupCircuitBreaker.FAILURE_THRESHOLD);
      breaker.ended("alice", 0, error, 0);

      assertThat(breaker.permits("alice", 0)).as(error.toString()).isTrue();
    }
  }

  @Test
  void usersAreSeparate() {
    fail("alice", LookupCircuitBreaker.FAILURE_THRESHOLD);

    assertThat(breaker.permits("bob", 0)).isTrue();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 5_000; i++) {
      fail("user" + i, LookupCircuitBreaker.FAILURE_THRESHOLD);
    }

    assertThat(breaker.permits("user0", 0)).isTrue();
    assertThat(breaker.permits("user4999", 0)).isFalse();
  }

  @Test
  void theCacheSuspendsLookupsWithoutAnswers() {
    List<String> lookedUp = new ArrayList<>();
    boolean[] broken = {true};
    ManualClock clock = new ManualClock();
    LocationCache cache =
        new LocationCache(
            (user, paths) -> {
              lookedUp.addAll(paths);
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
    assertThat(lookedUp).hasSize(LookupCircuitBreaker.FAILURE_THRESHOLD);
    assertThat(cache.stalled("alice", 1_500)).as("stalled for the failing user").isTrue();
    assertThat(cache.stalled("bob", 1_500)).isFalse();

    broken[0] = false;
    clock.advance(LookupCircuitBreaker.PAUSE_MILLIS);
    for (int i = 100; i < 200; i++) {
      assertThat(cache.locate("alice", FilesResourceName.parse("weir:/d" + i + "/part")))
          .isInstanceOf(LocationResult.Found.class);
    }
    assertThat(lookedUp).hasSize(LookupCircuitBreaker.FAILURE_THRESHOLD + 100);
    assertThat(cache.stalled("alice", 1_500)).isFalse();
  }

  private void fail(String user, int times) {
    for (int i = 0; i < times; i++) {
      breaker.ended(user, 0, noAnswer, 0);
    }
  }
}
