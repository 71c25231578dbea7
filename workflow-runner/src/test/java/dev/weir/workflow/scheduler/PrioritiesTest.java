package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Priorities that all tasks have. */
class PrioritiesTest {

  private static final long NOW = 1_000;

  @Test
  void aCommonPriorityChangesNothing() {
    WaitingRun run =
        WaitingRun.busyForThreeSeconds()
            .file("two", LARGE, "n1")
            .task("next", 1, "two", "first")
            .begin(2, WaitingRun.ONE_AHEAD);
    run.steered(new Steering(Action.PRIORITISE, "*", 1));

    run.ended("first");
    assertThat(run.nodeOf("next")).isEqualTo("n1");

    Step step = run.steered(new Steering(Action.PRIORITISE, "*", 2));
    assertThat(step.effects()).doesNotContain(run.recall("next"));
  }

  @Test
  void aPriorityThatBecomesCommonChangesNothing() {
    WaitingRun run = WaitingRun.waitingForBusyWorker();
    run.steered(new Steering(Action.PRIORITISE, "run", 1));

    Step step = run.steered(new Steering(Action.PRIORITISE, "next", 1));

    assertThat(step.effects()).doesNotContain(run.recall("next"));
    assertThat(run.steered(new Steering(Action.PRIORITISE, "next", 2)).effects())
        .contains(run.recall("next"));
  }

  @Test
  void aLowPriorityMakesNoOtherTaskUrgent() {
    WaitingRun run = WaitingRun.waitingForBusyWorker();

    Step step = run.steered(new Steering(Action.PRIORITISE, "run", -1));

    assertThat(step.effects()).doesNotContain(run.recall("next"));
  }

  private static Effect.Start start(Step step) {
    assertThat(starts(step)).hasSize(1);
    return starts(step).get(0);
  }

  @Test
  void rerunTasksKeepTheCommonPriority() {
    Workflow workflow =
        Graphs.of(
            task("a", List.of(), List.of("fa")),
            task("b", List.of("fa"), List.of("fb")),
            task("c", List.of(), List.of("fc")));
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, new Limits(1, 10));
    dispatcher.start(NOW);
    Effect.Start a = start(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), NOW));
    assertThat(b.task()).isEqualTo("b");
    dispatcher.steer("", "all", new Steering(Action.PRIORITISE, "*", 1), NOW);

    Step lost = dispatcher.reported("w1", Reports.inputLost(b, "fa"), NOW);

    assertThat(start(lost).task()).as("b waits for it").isEqualTo("a");
  }
}
