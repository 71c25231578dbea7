package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AwaitedWorkersTest {

  private static final long LONG = TimeUnit.MINUTES.toMillis(10);

  private final AwaitedWorkers awaited = new AwaitedWorkers();

  @BeforeEach
  void open() {
    awaited.canCome();
  }

  @Test
  void theTimeCountsFromWhenTheyCanCome() throws Exception {
    AwaitedWorkers closed = new AwaitedWorkers();
    closed.expect(List.of("w1"));
    AtomicReference<Set<String>> missing = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                missing.set(closed.await(1));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.WAITING);

    closed.canCome();

    waiting.join();
    assertThat(missing.get()).containsExactly("w1");
  }

  @Test
  void nobodyIsAwaitedAtFirst() throws Exception {
    assertThat(awaited.await(LONG)).isEmpty();
  }

  @Test
  void allAreAwaitedAndWhoCameFirstIsNot() throws Exception {
    awaited.settled("early");
    awaited.expect(List.of("early", "w1", "w2"));
    CompletableFuture<Set<String>> missing = CompletableFuture.supplyAsync(this::missing);

    awaited.settled("w2");
    awaited.settled("another");
    await().during(Duration.ofMillis(100)).until(() -> !missing.isDone());
    awaited.settled("w1");

    assertThat(missing.get(1, TimeUnit.MINUTES)).isEmpty();
  }

  @Test
  void whoHasReportsToMakeIsAwaitedUntilTheyAreMade() throws Exception {
    awaited.expect(List.of("w1"));
    awaited.came("w1", 2);
    awaited.reported("w1");
    awaited.reported("another");

    assertThat(awaited.await(1)).containsExactly("w1");
    awaited.reported("w1");

    assertThat(awaited.await(LONG)).isEmpty();
  }

  private Set<String> missing() {
    try {
      return awaited.await(LONG);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nobodyIsAwaitedWhenTheRunHasEnded() throws Exception {
    awaited.expect(List.of("w1"));
    CompletableFuture<Set<String>> missing = CompletableFuture.supplyAsync(this::missing);

    awaited.over();

    assertThat(missing.get(1, TimeUnit.MINUTES)).as("none is to be replaced").isEmpty();
    awaited.expect(List.of("w2"));
    assertThat(awaited.await(LONG)).isEmpty();
  }

  @Test
  void whoDoesNotComeIsNamed() throws Exception {
    awaited.expect(List.of("w1", "w2"));
    awaited.settled("w1");

    assertThat(awaited.await(1)).containsExactly("w2");
  }
}
