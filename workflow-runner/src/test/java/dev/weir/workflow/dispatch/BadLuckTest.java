package dev.weir.workflow.dispatch;

import static dev.weir.workflow.dispatch.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the dispatcher makes of trouble that is not the command's. */
class BadLuckTest {

  private static final WorkerInfo ON_N1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo ON_N2 = new WorkerInfo("w2", "n2", "/r");
  private static final Workflow THREE =
      Graphs.of(
          task("a", List.of(), List.of("fa")),
          task("b", List.of(), List.of("fb")),
          task("c", List.of(), List.of("fc")));

  private final List<DispatchRecord> journal = new ArrayList<>();
  private long now = 1_000;

  private Dispatcher started(Limits limits) {
    Dispatcher dispatcher = new Dispatcher(THREE, Policy.FIFO, limits);
    dispatcher.start(now);
    return dispatcher;
  }

  private List<Effect> effects(Step step) {
    journal.addAll(step.records());
    return step.effects();
  }

  private Effect.Start start(Step step) {
    return (Effect.Start) effects(step).get(0);
  }

  @Test
  void whatHdfsRefusesEndsTheRunAtOnce() {
    Dispatcher dispatcher = started(new Limits(3, 10));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.refused(a), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.failure().task()).isEqualTo("a");
              assertThat(failed.failure().attempts()).isEqualTo(1);
              assertThat(failed.failure().message()).isEqualTo("REFUSED on purpose");
            });
  }

  @Test
  void aNodeWithoutRoomRestsAndItsTaskGoesElsewhere() {
    Dispatcher dispatcher = started(new Limits(1, 10));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.workerJoined(ON_N2, now));

    assertThat(effects(dispatcher.reported("w1", Reports.nodeUnfit(a), now)))
        .as("the other node is busy, but it is there")
        .isEmpty();
    assertThat(start(dispatcher.reported("w2", Reports.succeeded(b, "n2", 1), now)).worker())
        .isEqualTo("w2");
    assertThat(dispatcher.progress().failedAttempts()).isEqualTo(1);
  }

  @Test
  void aNodeThatHasRestedGetsTasksAgain() {
    Dispatcher dispatcher = started(new Limits(1, 10));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.workerJoined(ON_N2, now));
    effects(dispatcher.reported("w1", Reports.nodeUnfit(a), now));

    now += TimeUnit.MINUTES.toMillis(2);
    List<Effect> both = effects(dispatcher.reported("w2", Reports.succeeded(b, "n2", 1), now));

    assertThat(both)
        .extracting(effect -> ((Effect.Start) effect).worker())
        .containsExactlyInAnyOrder("w1", "w2");
  }

  @Test
  void aNodeThatIsTheOnlyOneGetsTasksAllTheSameUntilThereIsNoPoint() {
    Dispatcher dispatcher = started(new Limits(1, 2));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    Effect.Start again = start(dispatcher.reported("w1", Reports.nodeUnfit(a), now));
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(effects(dispatcher.reported("w1", Reports.nodeUnfit(again), now)))
        .hasOnlyElementsOfType(Effect.Failed.class);
  }

  @Test
  void whatWasTheNodesFaultBeforeARestartIsSoAfterIt() {
    Dispatcher first = started(new Limits(1, 2));
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    effects(first.reported("w1", Reports.nodeUnfit(a), now));

    Dispatcher second = new Dispatcher(THREE, Policy.FIFO, new Limits(1, 2));
    journal.forEach(second::replay);
    second.start(now);
    a = start(second.workerJoined(ON_N1, now));

    assertThat(effects(second.reported("w1", Reports.nodeUnfit(a), now)))
        .hasOnlyElementsOfType(Effect.Failed.class);
  }
}
