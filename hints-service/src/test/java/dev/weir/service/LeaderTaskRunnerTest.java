package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.service.part.LeaderTask;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class LeaderTaskRunnerTest {
  @Test
  void retriesTaskAfterAnyFailure() throws Exception {
    Failing task = new Failing();
    try (LeaderTaskRunner leader =
        new LeaderTaskRunner(new SingleInstance(), List.of(task), Duration.ofMillis(1))) {
      leader.start("self");
      assertThat(task.leads.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(leader.isLeader()).isTrue();
    }
    assertThat(task.ended.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Fails in every possible way before it does its work. */
  private static final class Failing implements LeaderTask {
    final CountDownLatch leads = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);
    private final Queue<Throwable> failures =
        new ArrayDeque<>(
            List.of(
                new IOException("away"),
                new IllegalStateException("wrong"),
                new NoClassDefFoundError("missing"),
                new OutOfMemoryError("full")));

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public void lead(BooleanSupplier leading) throws IOException, InterruptedException {
      Throwable failure = failures.poll();
      if (failure instanceof IOException ioFailure) {
        throw ioFailure;
      } else if (failure instanceof RuntimeException runtimeFailure) {
        throw runtimeFailure;
      } else if (failure instanceof Error error) {
        throw error;
      }
      leads.countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        ended.countDown();
      }
    }
  }
}
