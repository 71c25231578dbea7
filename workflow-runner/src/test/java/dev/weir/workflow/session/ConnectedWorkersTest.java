package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class ConnectedWorkersTest {

  private static final long LONG = TimeUnit.MINUTES.toMillis(5);

  private final ConnectedWorkers attendance = new ConnectedWorkers();
  private final AtomicInteger looks = new AtomicInteger();

  /** Somebody who waits; complete when the wait is over. */
  private CompletableFuture<Void> waiting(IntPredicate enough) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                attendance.await(
                    count -> {
                      looks.incrementAndGet();
                      return enough.test(count);
                    },
                    LONG);
                over.complete(null);
              } catch (InterruptedException e) {
                over.completeExceptionally(e);
              }
            });
    waiter.setDaemon(true);
    waiter.start();
    return over;
  }

  @Test
  void aWorkerIsThereOnce() {
    attendance.add("w1");
    attendance.add("w1");
    assertThat(attendance.size()).isEqualTo(1);
    attendance.remove("w1");
    attendance.remove("w1");
    assertThat(attendance.size()).isZero();
  }

  @Test
  void whoWaitsForWorkersIsToldOfEach() {
    CompletableFuture<Void> both = waiting(count -> count == 2);
    await().until(() -> looks.get() == 1);

    attendance.add("w1");
    await().until(() -> looks.get() == 2);
    assertThat(both).isNotDone();
    attendance.add("w2");

    await().until(both::isDone);
    assertThat(both).isCompleted();
  }

  @Test
  void whoWaitsForTheLastToGoIsToldOfIt() {
    attendance.add("w1");
    CompletableFuture<Void> none = waiting(count -> count == 0);
    await().until(() -> looks.get() == 1);

    attendance.remove("w1");

    await().until(none::isDone);
    assertThat(none).isCompleted();
  }

  @Test
  void whatElseEndsTheWaitIsLookedAtWhenItChanges() {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> wait = waiting(count -> ended.get());
    await().until(() -> looks.get() == 1);

    ended.set(true);
    attendance.changed();

    await().until(wait::isDone);
    assertThat(wait).isCompleted();
  }

  @Test
  void nobodyWaitsLongerThanHeIsWillingTo() throws InterruptedException {
    attendance.await(count -> false, 1);

    assertThat(attendance.size()).isZero();
  }
}
