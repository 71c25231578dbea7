package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResourceGateTest {

  private static final ResourceNeeds TWO = new ResourceNeeds(2, 0);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> entered = new CopyOnWriteArrayList<>();
  private final ResourceGate gate = new ResourceGate(2, 100);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private Future<Boolean> enter(String name, ResourceGate.Ticket ticket) {
    return threads.submit(
        () -> {
          boolean mayBegin = ticket.enter();
          if (mayBegin) {
            entered.add(name);
          }
          return mayBegin;
        });
  }

  @Test
  void attemptsEnterUpToTheCoresAndMemory() throws Exception {
    ResourceGate.Ticket one = gate.ticket(new ResourceNeeds(1, 60));
    ResourceGate.Ticket two = gate.ticket(new ResourceNeeds(1, 60));
    ResourceGate.Ticket three = gate.ticket(new ResourceNeeds(1, 10));
    assertThat(enter("one", one).get()).isTrue();
    Future<Boolean> second = enter("two", two);
    Future<Boolean> third = enter("three", three);

    one.leave();

    assertThat(second.get()).isTrue();
    assertThat(third.get()).isTrue();
    assertThat(entered).contains("one", "two", "three");
  }

  @Test
  void smallAttemptDoesNotOvertakeALargeWaitingOne() throws Exception {
    ResourceGate.Ticket first = gate.ticket(ResourceNeeds.ONE_CORE);
    ResourceGate.Ticket large = gate.ticket(TWO);
    ResourceGate.Ticket small = gate.ticket(ResourceNeeds.ONE_CORE);
    assertThat(enter("first", first).get()).isTrue();
    Future<Boolean> waiting = enter("large", large);
    await().until(() -> gate.waiting() == 1);
    Future<Boolean> behind = enter("small", small);
    await().until(() -> gate.waiting() == 2);

    first.leave();

    assertThat(waiting.get()).isTrue();
    assertThat(entered).containsExactly("first", "large");
    large.leave();
    assertThat(behind.get()).isTrue();
  }

  @Test
  void attemptThatStagesInputsIsNotOvertaken() throws Exception {
    ResourceGate.Ticket slow = gate.ticket(ResourceNeeds.ONE_CORE);
    Future<Boolean> quick = enter("quick", gate.ticket(TWO));
    await().until(() -> gate.waiting() == 1);

    assertThat(slow.enter()).isTrue();
    slow.leave();

    assertThat(quick.get()).isTrue();
  }

  @Test
  void attemptThatFitsBesideAStagingOneDoesNotWait() throws Exception {
    ResourceGate.Ticket slow = gate.ticket(ResourceNeeds.ONE_CORE);

    assertThat(enter("beside", gate.ticket(ResourceNeeds.ONE_CORE)).get(60, TimeUnit.SECONDS))
        .isTrue();

    Future<Boolean> ahead = enter("ahead", gate.ticket(ResourceNeeds.ONE_CORE));
    await().until(() -> gate.waiting() == 1);
    assertThat(enter("slow", slow).get(60, TimeUnit.SECONDS))
        .as("its resources are reserved")
        .isTrue();
    assertThat(ahead.isDone()).isFalse();
    slow.leave();
    assertThat(ahead.get()).isTrue();
  }

  @Test
  void attemptThatEndsWithoutEnteringBlocksNoOther() throws Exception {
    ResourceGate.Ticket failed = gate.ticket(TWO);
    Future<Boolean> next = enter("next", gate.ticket(TWO));
    await().until(() -> gate.waiting() == 1);

    failed.leave();

    assertThat(next.get()).isTrue();
  }

  @Test
  void recalledAttemptWakesUpAndLetsOthersEnter() throws Exception {
    ResourceGate.Ticket first = gate.ticket(ResourceNeeds.ONE_CORE);
    assertThat(first.enter()).isTrue();
    ResourceGate.Ticket large = gate.ticket(TWO);
    Future<Boolean> waiting = enter("large", large);
    await().until(() -> gate.waiting() == 1);
    Future<Boolean> behind = enter("small", gate.ticket(ResourceNeeds.ONE_CORE));

    assertThat(large.recall()).isTrue();

    assertThat(waiting.get()).isFalse();
    assertThat(behind.get()).isTrue();
    assertThat(large.recall()).as("a second recall has no effect").isTrue();
    assertThat(first.recall()).as("it has entered").isFalse();
  }

  @Test
  void leavingTwiceFreesResourcesOnce() throws Exception {
    ResourceGate.Ticket first = gate.ticket(TWO);
    assertThat(first.enter()).isTrue();
    first.leave();
    first.leave();
    ResourceGate.Ticket second = gate.ticket(TWO);
    assertThat(second.enter()).isTrue();

    Future<Boolean> third = enter("third", gate.ticket(ResourceNeeds.ONE_CORE));
    await().until(() -> gate.waiting() == 1);

    assertThat(third.isDone()).isFalse();
    assertThat(first.recall()).as("it has left").isFalse();
  }

  @Test
  void interruptedAttemptBlocksNoOther() throws Exception {
    ResourceGate.Ticket first = gate.ticket(TWO);
    assertThat(first.enter()).isTrue();
    ResourceGate.Ticket second = gate.ticket(TWO);
    Future<Boolean> waiting =
        threads.submit(
            () -> {
              Thread.currentThread().interrupt();
              return second.enter();
            });

    assertThatThrownBy(waiting::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    second.leave();
    first.leave();
    assertThat(gate.ticket(TWO).enter()).isTrue();
  }
}
