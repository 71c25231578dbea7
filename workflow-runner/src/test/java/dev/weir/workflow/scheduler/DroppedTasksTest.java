package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.fan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tasks that are dropped after a cancellation or a failure, their dependents, and their
 * restoration.
 */
class DroppedTasksTest extends SteeringFixture {

  @Test
  void cancellingDropsDependentsAndTheRestIsDone() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    assertThat(t0.task()).isEqualTo("t0");

    List<Effect> cancelled = steer(dispatcher, Action.CANCEL, "t0");

    assertThat(answer(cancelled).tasks()).isEqualTo(3);
    assertThat(cancelled).contains(new Effect.Stop("w1", "t0", 1));
    Effect.Start t1 = start(effects(dispatcher.reported("w1", TaskReport.stopped("t0", 1), now)));
    assertThat(t1.task()).isEqualTo("t1");
    assertThat(succeed(dispatcher, t1)).containsExactly(new Effect.Check("", List.of("f1")));
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.failure().message())
                  .isEqualTo("3 tasks were cancelled: t0 and the tasks that need their files");
              assertThat(failed.failure().cancelled()).isFalse();
            });
  }

  @Test
  void aTaskThatEndsBeforeItIsStoppedIsDone() {
    Dispatcher dispatcher = begun(fan(1), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    assertThat(steer(dispatcher, Action.CANCEL, "t0")).contains(new Effect.Check("", List.of()));

    assertThat(succeed(dispatcher, t0)).isEmpty();
    assertThat(dispatcher.progress().done()).isEqualTo(1);
    assertThat(dispatcher.details("").dropped()).isEqualTo(2);
  }

  @Test
  void aCancelledRunEndsAtOnceEvenBeforeItStarts() {
    Dispatcher dispatcher = Dispatchers.of(fan(2), AssignmentPolicy.FIFO, ONE_TRY);

    List<Effect> effects = steer(dispatcher, Action.CANCEL, "");

    assertThat(effects).contains(new Effect.Failed("", RunFailure.cancelledRun()));
    effects(dispatcher.start(now));
    assertThat(effects(dispatcher.workerJoined(W1, now))).isEmpty();
    assertThat(answer(steer(dispatcher, Action.PAUSE, "")).text()).contains("too late");

    Dispatcher second = Dispatchers.of(fan(2), AssignmentPolicy.FIFO, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(second.start(now).effects())
        .contains(new Effect.Failed("", RunFailure.cancelledRun()));
  }

  private static Task ofUnknownLength(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "type", List.of("true", id), inputs, outputs, 0);
  }

  @Test
  void lostWorkThatNeedsACancelledTaskIsDroppedAlsoAfterARestart() {
    Workflow workflow =
        Graphs.of(
            ofUnknownLength("p", List.of(), List.of("fp")),
            ofUnknownLength("d", List.of("fp"), List.of("fd")),
            ofUnknownLength("x", List.of("fp"), List.of("fx")),
            ofUnknownLength("e", List.of("fd"), List.of("fe")));
    Dispatcher first = begun(workflow, new Limits(3, 10), WorkerSize.ONE_TASK);
    Effect.Start d = start(succeed(first, start(effects(first.workerJoined(W1, now)))));
    Effect.Start x = start(succeed(first, d));
    assertThat(x.task()).isEqualTo("x");
    effects(first.steer("", "first", new Steering(Action.PRIORITISE, "e", 1), now));
    Effect.Start e = start(effects(first.reported("w1", Reports.inputLost(x, "fp"), now)));
    assertThat(e.task()).as("a user put it first").isEqualTo("e");
    steer(first, Action.CANCEL, "p");
    assertThat(first.details("").dropped()).as("p and x").isEqualTo(2);

    List<Effect> end = effects(first.reported("w1", Reports.inputLost(e, "fd"), now));

    assertThat(end).containsExactly(new Effect.Check("", List.of()));
    Dispatcher second = Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, new Limits(3, 10));
    journal.forEach(second::replay);
    assertThat(second.details("").dropped()).isEqualTo(4);
    assertThat(second.start(now).effects()).containsExactly(new Effect.Check("", List.of()));
  }

  @Test
  void aRunThatKeepsGoingDoesTheRestAndThenFails() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY.withKeepGoing(), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));

    Effect.Start t1 = start(effects(dispatcher.reported("w1", Reports.failed(t0, 7), now)));

    assertThat(dispatcher.details("").dropped()).isEqualTo(3);
    succeed(dispatcher, t1);
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class, failed -> assertThat(failed.failure().task()).isEqualTo("t0"));
  }

  @Test
  void aRetryRestoresFailedTasksAndDependents() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY.withKeepGoing(), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    Effect.Start t1 = start(effects(dispatcher.reported("w1", Reports.failed(t0, 7), now)));

    assertThat(answer(steer(dispatcher, Action.RETRY, "")).tasks()).isEqualTo(3);

    Effect.Start again = start(succeed(dispatcher, t1));
    assertThat(again.task()).isEqualTo("t0");
    Effect.Start next = start(succeed(dispatcher, again));
    Effect.Start last = start(succeed(dispatcher, next));
    succeed(dispatcher, last);
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .containsExactly(new Effect.Succeeded(""));

    Dispatcher second =
        Dispatchers.of(
            fan(2), AssignmentPolicy.DATA_AWARE, ONE_TRY.withKeepGoing(), WorkerSize.ONE_TASK);
    journal.forEach(second::replay);
    assertThat(second.start(now).effects()).singleElement().isInstanceOf(Effect.Check.class);
  }

  @Test
  void aRetryWithoutNamesLeavesCancelledTasks() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY.withKeepGoing(), WorkerSize.ONE_TASK);
    effects(dispatcher.workerJoined(W1, now));
    steer(dispatcher, Action.CANCEL, "t1");

    assertThat(answer(steer(dispatcher, Action.RETRY, "")).tasks()).isZero();
    assertThat(answer(steer(dispatcher, Action.RETRY, "t1")).tasks()).isEqualTo(1);
    assertThat(dispatcher.details("").dropped()).isZero();
  }
}
