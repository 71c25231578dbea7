package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static dev.weir.workflow.scheduler.WaitingRun.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a task ahead is taken back for a free worker before ready tasks. */
class RecallByScoreTest {

  /**
   * n1 runs one task and has a task of high rank ahead. When the first task on n2 has ended, a task
   * without followers is ready.
   *
   * @param busySeconds run time of the task on n1
   * @param bytes input size of the task ahead
   * @param waySeconds run time of the tasks after the task ahead
   * @param cores cores of a worker, all of which its first task needs
   */
  private static WaitingRun run(
      double busySeconds, long bytes, double waySeconds, int cores, AssignmentPolicy policy) {
    return new WaitingRun()
        .file("one", 2 * LARGE, "n1")
        .file("two", bytes, "n1")
        .file("far", SMALL, "n2")
        .task("run", cores, busySeconds, "one")
        .task("afterwards", 90, "one", "run", "first")
        .task("first", cores, 9, "far")
        .task("long", 1, "two")
        .task("tail", waySeconds, "two", "long")
        .task("little", 1, "far", "first")
        .begin(2, new WorkerSize(cores, 1L << 30, 1), policy);
  }

  private static WaitingRun run(double busySeconds, long bytes, double waySeconds) {
    WaitingRun run = run(busySeconds, bytes, waySeconds, 1, AssignmentPolicy.DATA_AWARE);
    assertThat(run.nodeOf("run")).isEqualTo("n1");
    assertThat(run.nodeOf("first")).isEqualTo("n2");
    assertThat(run.nodeOf("long")).isEqualTo("n1");
    return run;
  }

  /** The task is taken back, and n2 has none. */
  private static WaitingRun asked() {
    WaitingRun run = run(3, SMALL, 20);
    assertThat(run.ended("first").effects()).containsExactly(run.recall("long"));
    return run;
  }

  private static void beginsOn(WaitingRun run, String node, Step step, String task) {
    assertThat(Starts.starts(step)).extracting(Effect.Start::task).contains(task);
    assertThat(run.nodeOf(task)).isEqualTo(node);
    assertThat(run.dispatcher().progress().running()).contains(task);
  }

  @Test
  void aTaskOfHigherScoreIsTakenBackBeforeReadyOnes() {
    WaitingRun run = asked();

    beginsOn(run, "n2", run.givenBack("long"), "long");

    assertThat(run.nodeOf("little")).isEqualTo("n2");
    assertThat(run.dispatcher().progress().running()).containsExactlyInAnyOrder("run", "long");
  }

  @Test
  void onlyWhenItsScoreIsHigher() {
    WaitingRun run = run(3, LARGE / 100, 0);

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void notWhenItsMoveWouldCostMoreThanTheRanksDiffer() {
    WaitingRun run = run(60, LARGE, 20);

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void notWhenItStartsAtOnce() {
    WaitingRun run = run(0.1, 0, 20);

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void theReadyTaskStartsWhenTheHolderHasBegunTheOther() {
    WaitingRun run = asked();

    beginsOn(run, "n2", run.begun("long"), "little");
    assertThat(run.nodeOf("long")).isEqualTo("n1");
  }

  @Test
  void theReadyTaskStartsWhenTheOtherHasStarted() {
    WaitingRun run = asked();

    beginsOn(run, "n2", run.ended("run"), "little");
    assertThat(run.nodeOf("long")).isEqualTo("n1");
  }

  @Test
  void theReservationEndsAfterASecondWithoutAnswer() {
    WaitingRun run = asked();

    assertThat(run.at(0.9).tick().effects()).isEmpty();
    beginsOn(run, "n2", run.at(1).tick(), "little");

    run.givenBack("long");
    assertThat(run.dispatcher().progress().running())
        .as("what comes too late goes where others would, ahead to n1")
        .containsExactlyInAnyOrder("run", "little");
    assertThat(run.attempt("long").attempt()).isEqualTo(2);
  }

  @Test
  void theTaskOfALostHolderGoesToTheReservingWorker() {
    WaitingRun run = asked();

    Step step = run.note(run.dispatcher().workerLost("n1", "gone", WaitingRun.NOW));

    beginsOn(run, "n2", step, "long");
  }

  @Test
  void aTaskWithoutReservationIsReadyLikeOthers() {
    WaitingRun run = asked();
    run.note(run.dispatcher().workerLost("n2", "gone", WaitingRun.NOW));

    run.givenBack("long");

    assertThat(run.nodeOf("long")).isEqualTo("n1");
    assertThat(run.dispatcher().progress().running()).containsExactly("run");
  }

  @Test
  void notInFifoOrder() {
    WaitingRun run = run(3, SMALL, 20, 1, AssignmentPolicy.FIFO);
    assertThat(run.nodeOf("long")).isEqualTo("n1");

    Step step = run.ended("first");

    assertThat(step.effects()).doesNotContain(run.recall("long"));
    beginsOn(run, "n2", step, "little");
  }

  @Test
  void otherCoresOfTheWorkerRunOtherTasks() {
    WaitingRun run = run(3, SMALL, 20, 2, AssignmentPolicy.DATA_AWARE);
    Step step = run.ended("first");

    assertThat(step.effects()).contains(run.recall("long"));
    beginsOn(run, "n2", step, "little");
    beginsOn(run, "n2", run.givenBack("long"), "long");
  }

  @Test
  void aTaskPutFirstMeanwhileGoesFirst() {
    WaitingRun run = asked();
    assertThat(run.steered(new Steering(Steering.Action.PRIORITISE, "little", 1)).effects())
        .noneMatch(Effect.Start.class::isInstance);

    beginsOn(run, "n2", run.givenBack("long"), "little");
  }

  @Test
  void priorityComesBeforeRank() {
    WaitingRun run = run(3, SMALL, 20);
    run.steered(new Steering(Steering.Action.PRIORITISE, "little", 1));

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void theReservationEndsWithItsGraph() {
    WaitingRun run = asked();
    Graph other =
        Graph.of("other", Graphs.of(Graphs.task("alone", List.of(), List.of())), Limits.DEFAULT);
    run.note(run.dispatcher().addGraph(other, List.of(), WaitingRun.NOW));

    Step step = run.steered(Steering.Action.CANCEL, "");

    assertThat(Starts.starts(step))
        .extracting(Effect.Start::worker, Effect.Start::task)
        .containsExactly(tuple("n2", "other:alone"));
  }
}
