package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.fan;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report about tasks that failed permanently in a run that keeps going. */
class GivenUpTest {
  private static final WorkerInfo WORKER = new WorkerInfo("w1", "n1", "/r");
  private static final Limits ONE_TRY = new Limits(1, 10).withKeepGoing();

  private long now = 1_000;

  private static Dispatcher begun(Workflow workflow) {
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, ONE_TRY, WorkerSize.ONE_TASK);
    dispatcher.start(1_000);
    return dispatcher;
  }

  /** Lets all tasks of the worker fail, and returns them in that order. */
  private List<String> fail(Dispatcher dispatcher, List<Effect> effects) {
    List<String> order = new ArrayList<>();
    Deque<Effect.Start> open = new ArrayDeque<>(starts(effects));
    while (!open.isEmpty()) {
      Effect.Start start = open.remove();
      order.add(start.task());
      now += 1_000;
      open.addAll(starts(dispatcher.reported("w1", Reports.failed(start, 7), now).effects()));
    }
    return order;
  }

  private static Progress.Failed failed(int task) {
    return new Progress.Failed("t" + task, 1, "n1", 7, "the end of stderr");
  }

  private RunFailure end(Dispatcher dispatcher) {
    return dispatcher.checked("", List.of(), now).effects().stream()
        .filter(Effect.Failed.class::isInstance)
        .map(effect -> ((Effect.Failed) effect).failure())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theFailureNamesAllFailedTasks() {
    Dispatcher dispatcher = begun(fan(3));
    fail(dispatcher, dispatcher.workerJoined(WORKER, now).effects());

    GivenUp expected = new GivenUp(5, 3, List.of(failed(0), failed(1), failed(2)));
    assertThat(dispatcher.details("").givenUp()).isEqualTo(expected);
    RunFailure failure = end(dispatcher);
    assertThat(failure.task()).isEqualTo("t0");
    assertThat(failure.givenUp()).isEqualTo(expected);
  }

  @Test
  void theFirstFailuresAreKeptAndAllAreCounted() {
    Dispatcher dispatcher = begun(fan(GivenUp.MOST + 5));
    fail(dispatcher, dispatcher.workerJoined(WORKER, now).effects());

    GivenUp shown = dispatcher.details("").givenUp();
    assertThat(shown.failed()).isEqualTo(GivenUp.MOST + 5);
    assertThat(shown.first()).as("written each second").hasSize(20);
    GivenUp kept = end(dispatcher).givenUp();
    assertThat(kept.failed()).isEqualTo(GivenUp.MOST + 5);
    assertThat(kept.first()).hasSize(GivenUp.MOST);
  }

  @Test
  void retriedTasksAreNotGivenUp() {
    Dispatcher dispatcher = begun(fan(2));
    dispatcher.steer("", "pause", Steering.of(Action.PAUSE, "t1"), now);
    fail(dispatcher, dispatcher.workerJoined(WORKER, now).effects());
    assertThat(dispatcher.details("").givenUp().failed()).isEqualTo(1);

    dispatcher.steer("", "retry", Steering.of(Action.RETRY, ""), now);

    assertThat(dispatcher.details("").givenUp()).isEqualTo(GivenUp.NONE);
  }

  @Test
  void failuresWithoutKeptAttemptAreCounted() {
    Dispatcher dispatcher = begun(fan(GivenUp.MOST + 6));
    // The run has not ended yet.
    dispatcher.steer("", "one", Steering.of(Action.PAUSE, "t" + (GivenUp.MOST + 5)), now);
    List<String> order = fail(dispatcher, dispatcher.workerJoined(WORKER, now).effects());
    dispatcher.steer("", "all", Steering.of(Action.PAUSE, ""), now);

    for (String known : order.subList(0, GivenUp.MOST)) {
      dispatcher.steer("", "retry " + known, Steering.of(Action.RETRY, known), now);
    }

    assertThat(dispatcher.details("").givenUp()).isEqualTo(new GivenUp(5, 5, List.of()));
  }
}
