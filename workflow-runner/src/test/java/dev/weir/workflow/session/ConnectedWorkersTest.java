package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.rpc.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class ConnectedWorkersTest {

  private static final long LONG = TimeUnit.MINUTES.toMillis(5);

  private final ConnectedWorkers workers = new ConnectedWorkers();
  private final AtomicInteger checks = new AtomicInteger();

  private final Map<String, List<Message>> sent = new HashMap<>();

  private void add(String worker) {
    List<Message> messages = new ArrayList<>();
    sent.put(worker, messages);
    workers.add(
        worker,
        new Connection() {
          @Override
          public void send(Message message) {
            messages.add(message);
          }

          @Override
          public void close() {}
        });
  }

  /** Starts a wait; the future completes when the wait ends. */
  private CompletableFuture<Void> startWaiting(IntPredicate enough) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                workers.await(
                    count -> {
                      checks.incrementAndGet();
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
  void workerCountsOnce() {
    add("w1");
    add("w1");
    assertThat(workers.size()).isEqualTo(1);
    workers.remove("w1");
    workers.remove("w1");
    assertThat(workers.size()).isZero();
  }

  @Test
  void newTokensAlsoReachWorkersThatConnectLater() {
    Message.NewTokens first = new Message.NewTokens("first");
    Message.NewTokens second = new Message.NewTokens("second");
    add("w1");

    workers.renew(first);
    workers.renew(second);
    add("w2");

    assertThat(sent.get("w1")).containsExactly(first, second);
    assertThat(sent.get("w2")).containsExactly(second);
    assertThat(second.toString()).as("logs").doesNotContain("second");
  }

  @Test
  void waitIsNotifiedOfEachWorker() {
    CompletableFuture<Void> both = startWaiting(count -> count == 2);
    await().until(() -> checks.get() == 1);

    add("w1");
    await().until(() -> checks.get() == 2);
    assertThat(both).isNotDone();
    add("w2");

    await().until(both::isDone);
    assertThat(both).isCompleted();
  }

  @Test
  void waitEndsWhenTheLastWorkerLeaves() {
    add("w1");
    CompletableFuture<Void> none = startWaiting(count -> count == 0);
    await().until(() -> checks.get() == 1);

    workers.remove("w1");

    await().until(none::isDone);
    assertThat(none).isCompleted();
  }

  @Test
  void otherConditionEndsTheWait() {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> wait = startWaiting(count -> ended.get());
    await().until(() -> checks.get() == 1);

    ended.set(true);
    workers.changed();

    await().until(wait::isDone);
    assertThat(wait).isCompleted();
  }

  @Test
  void waitEndsAtItsTimeout() throws InterruptedException {
    workers.await(count -> false, 1);

    assertThat(workers.size()).isZero();
  }
}
