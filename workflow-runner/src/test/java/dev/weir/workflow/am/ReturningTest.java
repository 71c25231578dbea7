package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReturningTest {

  private static final long LONG = TimeUnit.MINUTES.toMillis(10);

  private final Returning returning = new Returning();

  @Test
  void nobodyIsAwaitedAtFirst() throws Exception {
    assertThat(returning.await(LONG)).isEmpty();
  }

  @Test
  void allAreAwaitedAndWhoCameFirstIsNot() throws Exception {
    returning.settled("early");
    returning.expect(List.of("early", "w1", "w2"));
    CompletableFuture<Set<String>> missing = CompletableFuture.supplyAsync(this::missing);

    returning.settled("w2");
    returning.settled("another");
    await().during(Duration.ofMillis(100)).until(() -> !missing.isDone());
    returning.settled("w1");

    assertThat(missing.get(1, TimeUnit.MINUTES)).isEmpty();
  }

  @Test
  void whoHasReportsToMakeIsAwaitedUntilTheyAreMade() throws Exception {
    returning.expect(List.of("w1"));
    returning.came("w1", 2);
    returning.reported("w1");
    returning.reported("another");

    assertThat(returning.await(1)).containsExactly("w1");
    returning.reported("w1");

    assertThat(returning.await(LONG)).isEmpty();
  }

  private Set<String> missing() {
    try {
      return returning.await(LONG);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nobodyIsAwaitedWhenTheRunHasEnded() throws Exception {
    returning.expect(List.of("w1"));
    CompletableFuture<Set<String>> missing = CompletableFuture.supplyAsync(this::missing);

    returning.over();

    assertThat(missing.get(1, TimeUnit.MINUTES)).as("none is to be replaced").isEmpty();
    returning.expect(List.of("w2"));
    assertThat(returning.await(LONG)).isEmpty();
  }

  @Test
  void whoDoesNotComeIsNamed() throws Exception {
    returning.expect(List.of("w1", "w2"));
    returning.settled("w1");

    assertThat(returning.await(1)).containsExactly("w2");
  }
}
