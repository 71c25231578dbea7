package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How the dispatcher handles failures that are not the command's. */
class EnvironmentFailureTest {

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
    Dispatcher dispatcher = Dispatchers.of(THREE, AssignmentPolicy.FIFO, limits);
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
  void anHdfsRefusalEndsTheRunAtOnce() {
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
  void aNodeWithoutRoomIsBlacklistedAndItsTaskMoves() {
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
  void aNodeLeavesTheBlacklistAfterAWhile() {
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

  /** The state that the next ApplicationMaster replays. */
  private Dispatcher next(Limits limits) {
    Dispatcher dispatcher = Dispatchers.of(THREE, AssignmentPolicy.FIFO, limits);
    journal.forEach(dispatcher::replay);
    effects(dispatcher.start(now));
    return dispatcher;
  }

  @Test
  void aNodeStaysBlacklistedAfterAMasterRestart() {
    Dispatcher first = started(new Limits(1, 10));
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    effects(first.reported("w1", Reports.nodeUnfit(a), now));

    now += 20_000;
    Dispatcher second = next(new Limits(1, 10));
    assertThat(start(second.workerJoined(ON_N2, now)).worker()).isEqualTo("w2");
    assertThat(effects(second.workerJoined(ON_N1, now))).isEmpty();

    now += 40_000;
    assertThat(start(second.tick(now)).worker()).isEqualTo("w1");
  }

  @Test
  void aClockAheadOfTheMasterBeforeDoesNotExtendTheBlacklist() {
    now += TimeUnit.DAYS.toMillis(1);
    Dispatcher first = started(new Limits(1, 10));
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    effects(first.reported("w1", Reports.nodeUnfit(a), now));

    now -= TimeUnit.DAYS.toMillis(1);
    Dispatcher second = next(new Limits(1, 10));
    effects(second.workerJoined(ON_N2, now));
    assertThat(effects(second.workerJoined(ON_N1, now))).isEmpty();

    now += TimeUnit.MINUTES.toMillis(2);
    assertThat(start(second.tick(now)).worker()).isEqualTo("w1");
  }

  @Test
  void theOnlyNodeGetsTasksDespiteTheBlacklistUntilTheLimit() {
    Dispatcher dispatcher = started(new Limits(1, 2));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    Effect.Start again = start(dispatcher.reported("w1", Reports.nodeUnfit(a), now));
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(effects(dispatcher.reported("w1", Reports.nodeUnfit(again), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void anHdfsErrorIsNoFailureAndAnotherNodeRetries() {
    Dispatcher dispatcher = started(new Limits(1, 3));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.workerJoined(ON_N2, now));

    assertThat(start(dispatcher.reported("w1", Reports.infrastructure(a), now)).task())
        .as("its node does other work meanwhile")
        .isEqualTo("c");
    assertThat(effects(dispatcher.reported("w2", Reports.succeeded(b, "n2", 1), now)))
        .as("the retry is delayed")
        .isEmpty();
    now += 2_000;
    Effect.Start again = start(dispatcher.tick(now));
    assertThat(again.task()).isEqualTo("a");
    assertThat(again.worker()).isEqualTo("w2");
    assertThat(dispatcher.progress().failedAttempts()).isEqualTo(1);
  }

  @Test
  void permanentHdfsErrorsFailTheRun() {
    Dispatcher dispatcher = started(new Limits(1, 2));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    Effect.Start b = start(dispatcher.reported("w1", Reports.infrastructure(a), now));
    assertThat(b.task()).isEqualTo("b");
    now += 2_000;
    Effect.Start again = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 1), now));
    assertThat(again.task()).isEqualTo("a");
    assertThat(effects(dispatcher.reported("w1", Reports.infrastructure(again), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void anUnreadableInputIsNoFailureAndIsRetriedWithGrowingDelays() {
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 10));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    List<Integer> pauses = List.of(2, 4, 8, 16, 30, 30, 30, 30, 30);

    for (int seconds : pauses) {
      assertThat(effects(dispatcher.reported("w1", Reports.inputUnreadable(a, "in"), now)))
          .isEmpty();
      now += TimeUnit.SECONDS.toMillis(seconds) - 1;
      assertThat(effects(dispatcher.tick(now))).as("before %d s", seconds).isEmpty();
      now += 1;
      a = start(dispatcher.tick(now));
    }
    assertThat(effects(dispatcher.reported("w1", Reports.inputUnreadable(a, "in"), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void aLostInputWithoutProducerIsAFailure() {
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 10));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.inputLost(a, "in"), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void anUnreadableInputWithProducerIsMadeAgain() {
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 10));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 1), now));

    assertThat(start(dispatcher.reported("w1", Reports.inputUnreadable(b, "fa"), now)).task())
        .isEqualTo("a");
  }

  @Test
  void resumingDoesNotEndTheDelayOfATask() {
    Dispatcher dispatcher = started(new Limits(1, 10));
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.infrastructure(a), now));
    effects(dispatcher.steer("", "1", Steering.of(Steering.Action.PAUSE, ""), now));
    effects(dispatcher.reported("w1", Reports.succeeded(b, "n1", 1), now));

    assertThat(effects(dispatcher.steer("", "2", Steering.of(Steering.Action.RESUME, ""), now)))
        .filteredOn(effect -> effect instanceof Effect.Start)
        .extracting(effect -> ((Effect.Start) effect).task())
        .containsExactly("c");
  }

  private static final long GIB = 1L << 30;

  /** A task that declares no memory, for workers of two cores and 4 GiB. */
  private Dispatcher hungry(Limits limits) {
    Workflow workflow =
        Graphs.of(
            Graphs.idle("hungry", new ResourceNeeds(1, 0)),
            Graphs.idle("other", new ResourceNeeds(1, GIB)));
    return Dispatchers.of(workflow, AssignmentPolicy.FIFO, limits, new WorkerSize(2, 4 * GIB, 0));
  }

  private static Effect.Start of(String task, List<Effect> effects) {
    return effects.stream()
        .map(Effect.Start.class::cast)
        .filter(start -> start.task().equals(task))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aMemoryKillRaisesTheNeedsAndIsNoFailureTheFirstTime() {
    Dispatcher dispatcher = hungry(new Limits(1, 10));
    dispatcher.start(now);
    List<Effect> first = effects(dispatcher.workerJoined(ON_N1, now));
    Effect.Start hungry = of("hungry", first);
    assertThat(hungry.needs().memoryBytes()).as("nothing beyond what is declared").isZero();

    assertThat(effects(dispatcher.reported("w1", Reports.memoryExceeded(hungry), now)))
        .as("twice its share is all that the worker has, and the other task has some of it")
        .isEmpty();
    List<Effect> second =
        effects(dispatcher.reported("w1", Reports.succeeded(of("other", first), "n1", 0), now));

    Effect.Start again = of("hungry", second);
    assertThat(again.needs()).isEqualTo(new ResourceNeeds(2, 4 * GIB));
    assertThat(effects(dispatcher.reported("w1", Reports.memoryExceeded(again), now)))
        .as("there is no more to give: the second time it is a failure")
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  /** Two tasks that declare no memory; the first was killed for memory. */
  private Dispatcher undeclared(WorkerSize size) {
    Workflow workflow =
        Graphs.of(
            Graphs.idle("hungry", new ResourceNeeds(1, 0)),
            Graphs.idle("other", new ResourceNeeds(1, 0)));
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.FIFO, new Limits(1, 10), size);
    dispatcher.start(now);
    return dispatcher;
  }

  @Test
  void aTaskWithAllMemoryRunsAloneEvenBesideUndeclaredNeeds() {
    Dispatcher dispatcher = undeclared(new WorkerSize(2, 4 * GIB, 0));
    List<Effect> first = effects(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.memoryExceeded(of("hungry", first)), now)))
        .as("the other task may take any of the memory")
        .isEmpty();
    List<Effect> second =
        effects(dispatcher.reported("w1", Reports.succeeded(of("other", first), "n1", 0), now));

    assertThat(of("hungry", second).needs()).isEqualTo(new ResourceNeeds(2, 4 * GIB));
  }

  @Test
  void moreMemoryComesWithItsShareOfCores() {
    Dispatcher dispatcher = undeclared(new WorkerSize(4, 8 * GIB, 0));
    List<Effect> first = effects(dispatcher.workerJoined(ON_N1, now));

    List<Effect> second =
        effects(dispatcher.reported("w1", Reports.memoryExceeded(of("hungry", first)), now));

    assertThat(of("hungry", second).needs()).isEqualTo(new ResourceNeeds(2, 4 * GIB));
  }

  @Test
  void raisedNeedsSurviveARestart() {
    Dispatcher first = hungry(new Limits(1, 10));
    first.start(now);
    Effect.Start hungry = of("hungry", effects(first.workerJoined(ON_N1, now)));
    effects(first.reported("w1", Reports.memoryExceeded(hungry), now));

    Dispatcher second = hungry(new Limits(1, 10));
    journal.forEach(second::replay);
    second.start(now);

    assertThat(of("hungry", effects(second.workerJoined(ON_N2, now))).needs())
        .isEqualTo(new ResourceNeeds(2, 4 * GIB));
  }

  @Test
  void excusedFailuresStayExcusedAfterARestart() {
    Dispatcher first = started(new Limits(1, 2));
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    effects(first.reported("w1", Reports.nodeUnfit(a), now));

    Dispatcher second = Dispatchers.of(THREE, AssignmentPolicy.FIFO, new Limits(1, 2));
    journal.forEach(second::replay);
    second.start(now);
    a = start(second.workerJoined(ON_N1, now));

    assertThat(effects(second.reported("w1", Reports.nodeUnfit(a), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }
}
