package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers that YARN has killed for the memory of their tasks, or for reasons of its own. */
class LostWorkerTrackerTest extends DispatcherFixture {

  private static final long GIB = 1L << 30;
  private static final String KILLED = "YARN has killed its container for the memory";

  private Dispatcher dispatcher(Workflow workflow, WorkerSize size) {
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.FIFO, new Limits(1, 10), size);
    dispatcher.start(now);
    return dispatcher;
  }

  private List<Effect> killed(Dispatcher dispatcher, String worker) {
    effects(dispatcher.workerLost(worker, "its connection has ended", now));
    return effects(dispatcher.killedForMemory(worker, KILLED, now));
  }

  private static List<ResourceNeeds> needs(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Start.class::isInstance)
        .map(effect -> ((Effect.Start) effect).needs())
        .toList();
  }

  @Test
  void aTaskThatRanAloneGetsMoreMemoryAndFailsTheSecondTime() {
    Dispatcher dispatcher =
        dispatcher(
            Graphs.of(Graphs.idle("a", new ResourceNeeds(1, 3 * GIB))),
            new WorkerSize(2, 4 * GIB, 0));
    effects(dispatcher.workerJoined(ON_N1, now));

    assertThat(killed(dispatcher, "w1")).isEmpty();
    assertThat(dispatcher.details("").failures())
        .as("the reason replaces the broken connection")
        .containsExactly(new Progress.Failed("a", 1, "n1", TaskReport.NO_EXIT_CODE, KILLED));
    assertThat(needs(effects(dispatcher.workerJoined(ON_N2, now))))
        .containsExactly(new ResourceNeeds(2, 4 * GIB));

    assertThat(killed(dispatcher, "w2"))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.failure().message()).isEqualTo(KILLED);
              assertThat(failed.failure().attempts()).isEqualTo(2);
            });
  }

  @Test
  void ofSeveralTasksNoneFailsAndAllGetMoreMemory() {
    Dispatcher dispatcher =
        dispatcher(
            Graphs.of(
                Graphs.idle("a", new ResourceNeeds(1, 0)),
                Graphs.idle("b", new ResourceNeeds(1, 0))),
            new WorkerSize(2, 4 * GIB, 0));
    assertThat(needs(effects(dispatcher.workerJoined(ON_N1, now)))).hasSize(2);

    assertThat(killed(dispatcher, "w1")).as("it is no failure").isEmpty();

    assertThat(needs(effects(dispatcher.workerJoined(ON_N2, now))))
        .as("one at a time")
        .containsExactly(new ResourceNeeds(2, 4 * GIB));
  }

  @Test
  void anAttemptWithTheOldMemoryIsRestarted() {
    Dispatcher dispatcher =
        dispatcher(
            Graphs.of(Graphs.idle("a", new ResourceNeeds(1, GIB))), new WorkerSize(2, 4 * GIB, 0));
    effects(dispatcher.workerJoined(ON_N1, now));
    effects(dispatcher.workerJoined(ON_N2, now));
    Effect.Start again = start(dispatcher.workerLost("w1", "its connection has ended", now));
    assertThat(again.needs()).isEqualTo(new ResourceNeeds(1, GIB));

    assertThat(effects(dispatcher.killedForMemory("w1", KILLED, now)))
        .containsExactly(new Effect.Stop("w2", "a", 2));

    assertThat(start(dispatcher.reported("w2", TaskReport.stopped("a", 2), now)).needs())
        .isEqualTo(new ResourceNeeds(2, 4 * GIB));
  }

  @Test
  void doneAndOtherTasksAreNotAffected() {
    Dispatcher dispatcher =
        dispatcher(
            Graphs.of(
                Graphs.idle("a", new ResourceNeeds(1, GIB)),
                Graphs.idle("b", new ResourceNeeds(1, GIB))),
            new WorkerSize(1, 4 * GIB, 0));
    effects(dispatcher.workerJoined(ON_N1, now));
    effects(dispatcher.workerJoined(ON_N2, now));

    assertThat(effects(dispatcher.killedForMemory("w1", KILLED, now)))
        .as("it is not gone as far as is known")
        .isEmpty();
    assertThat(killed(dispatcher, "w1")).isEmpty();

    assertThat(effects(dispatcher.killedForMemory("w1", KILLED, now))).as("twice").isEmpty();
  }

  @Test
  void theNextDispatcherKnowsRaisedNeedsAndPastKills() {
    Workflow workflow = Graphs.of(Graphs.idle("a", new ResourceNeeds(1, 3 * GIB)));
    WorkerSize size = new WorkerSize(2, 4 * GIB, 0);
    Dispatcher dispatcher = dispatcher(workflow, size);
    effects(dispatcher.workerJoined(ON_N1, now));
    assertThat(killed(dispatcher, "w1")).isEmpty();

    Dispatcher next = Dispatchers.of(workflow, AssignmentPolicy.FIFO, new Limits(1, 10), size);
    List.copyOf(journal).forEach(next::replay);
    effects(next.start(now));

    assertThat(needs(effects(next.workerJoined(ON_N2, now))))
        .containsExactly(new ResourceNeeds(2, 4 * GIB));
    assertThat(killed(next, "w2"))
        .as("the second kill")
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  /** YARN ends the workers of the task one after the other; reports it before and after a loss. */
  private void endWorkers(Dispatcher dispatcher, int number, boolean preempted) {
    for (int i = 1; i <= number; i++) {
      String worker = "y" + i;
      start(dispatcher.workerJoined(new WorkerInfo(worker, "n" + i, "/r"), now));
      boolean isKnownBefore = i % 2 == 0;
      if (isKnownBefore) {
        assertThat(endedByYarn(dispatcher, worker, preempted)).isEmpty();
      }
      assertThat(effects(dispatcher.workerLost(worker, "lost", now))).isEmpty();
      if (!isKnownBefore) {
        assertThat(endedByYarn(dispatcher, worker, preempted)).isEmpty();
      }
    }
  }

  private List<Effect> endedByYarn(Dispatcher dispatcher, String worker, boolean preempted) {
    return effects(dispatcher.endedByYarn(worker, preempted, now));
  }

  private static Dispatcher twoLosses(Workflow workflow, WorkerSize size) {
    return Dispatchers.of(workflow, AssignmentPolicy.FIFO, new Limits(1, 2), size);
  }

  private void assertSecondLossWithTheNodeFails(
      Dispatcher dispatcher, Workflow workflow, WorkerSize size) {
    start(dispatcher.workerJoined(ON_N1, now));
    endedByYarn(dispatcher, "w1", false);
    assertThat(effects(dispatcher.workerLost("w1", "lost", now))).as("the first loss").isEmpty();

    Dispatcher next = twoLosses(workflow, size);
    List.copyOf(journal).forEach(next::replay);
    effects(next.start(now));
    start(next.workerJoined(ON_N2, now));
    endedByYarn(next, "w2", false);
    assertThat(effects(next.workerLost("w2", "lost", now)))
        .as("the second loss")
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void preemptionCostsNoTry() {
    Workflow workflow = Graphs.of(Graphs.idle("a", new ResourceNeeds(1, GIB)));
    WorkerSize size = new WorkerSize(1, 4 * GIB, 0);
    Dispatcher dispatcher = twoLosses(workflow, size);
    dispatcher.start(now);
    endWorkers(dispatcher, 30, true);
    assertSecondLossWithTheNodeFails(dispatcher, workflow, size);
  }

  @Test
  void tenLossesWithTheNodeCostNoTry() {
    Workflow workflow = Graphs.of(Graphs.idle("a", new ResourceNeeds(1, GIB)));
    WorkerSize size = new WorkerSize(1, 4 * GIB, 0);
    Dispatcher dispatcher = twoLosses(workflow, size);
    dispatcher.start(now);
    endWorkers(dispatcher, 10, false);
    assertSecondLossWithTheNodeFails(dispatcher, workflow, size);
  }

  @Test
  void aTaskAheadLosesNoTryWithTheNode() {
    Workflow workflow =
        Graphs.of(
            Graphs.idle("a", new ResourceNeeds(1, GIB)),
            Graphs.idle("ahead", new ResourceNeeds(1, GIB)));
    Dispatcher dispatcher = dispatcher(workflow, new WorkerSize(1, 4 * GIB, 1));
    for (int i = 1; i <= 19; i++) {
      effects(dispatcher.workerJoined(ON_N1, now));
      assertThat(effects(dispatcher.workerLost("w1", "lost", now))).isEmpty();
      endedByYarn(dispatcher, "w1", false);
    }

    effects(dispatcher.workerJoined(ON_N1, now));
    assertThat(effects(dispatcher.workerLost("w1", "lost", now)))
        .filteredOn(Effect.Failed.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class, failed -> assertThat(failed.failure().task()).isEqualTo("a"));
  }

  private Dispatcher next(Workflow workflow, WorkerSize size) {
    Dispatcher next = Dispatchers.of(workflow, AssignmentPolicy.FIFO, new Limits(1, 10), size);
    List.copyOf(journal).forEach(next::replay);
    return next;
  }

  @Test
  void theNextDispatcherLearnsOfTheKillOfAWorkerThatWasLostBefore() {
    Workflow workflow =
        Graphs.of(
            Graphs.idle("a", new ResourceNeeds(1, GIB)),
            Graphs.idle("ahead", new ResourceNeeds(1, GIB)));
    WorkerSize size = new WorkerSize(1, 4 * GIB, 1);
    Dispatcher dispatcher = dispatcher(workflow, size);
    effects(dispatcher.workerJoined(ON_N1, now));
    effects(dispatcher.workerLost("w1", "its connection has ended", now));

    Dispatcher next = next(workflow, size);
    effects(next.killedForMemory("w1", KILLED, now));
    effects(next.start(now));

    assertThat(needs(effects(next.workerJoined(ON_N2, now))))
        .as("the needs of the task that ran, and of the one ahead of it")
        .containsExactlyInAnyOrder(new ResourceNeeds(1, 4 * GIB), new ResourceNeeds(1, GIB));
    assertThat(killed(next, "w2"))
        .as("the second kill")
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void theNextDispatcherLearnsOfTheKillOfAWorkerThatWasLostSince() {
    Workflow workflow = Graphs.of(Graphs.idle("a", new ResourceNeeds(1, 3 * GIB)));
    WorkerSize size = new WorkerSize(2, 4 * GIB, 0);

    Dispatcher next = next(workflow, size);
    next.ranBefore(ON_N1, "a", 1);
    effects(next.start(now));
    Effect.Start again = start(next.workerJoined(ON_N2, now));

    assertThat(effects(next.killedForMemory("w1", KILLED, now)))
        .as("the next attempt has started with the old memory")
        .containsExactly(new Effect.Stop("w2", "a", again.attempt()));
  }

  @Test
  void aWorkerThatReturnsOrAnAttemptWhoseEndIsKnownWasNotKilled() {
    Workflow workflow = Graphs.of(Graphs.idle("a", new ResourceNeeds(1, 3 * GIB)));
    WorkerSize size = new WorkerSize(2, 4 * GIB, 0);
    Dispatcher dispatcher = dispatcher(workflow, size);
    effects(dispatcher.workerJoined(ON_N1, now));
    assertThat(killed(dispatcher, "w1")).isEmpty();

    Dispatcher next = next(workflow, size);
    next.ranBefore(ON_N1, "a", 1);
    next.ranBefore(ON_N2, "a", 2);
    effects(next.start(now));
    effects(next.workerJoined(ON_N2, now));

    for (String worker : List.of("w1", "w2")) {
      assertThat(effects(next.killedForMemory(worker, KILLED, now))).isEmpty();
    }
  }
}
