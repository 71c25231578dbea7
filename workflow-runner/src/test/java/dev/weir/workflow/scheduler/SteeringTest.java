package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.fan;
import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskGlob;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests to pause, resume and prioritise a run. */
class SteeringTest extends SteeringFixture {

  @Test
  void aPausedRunStartsNothingUntilItIsResumed() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start first = start(effects(dispatcher.workerJoined(W1, now)));

    assertThat(answer(steer(dispatcher, Action.PAUSE, "")).tasks()).isEqualTo(5);
    assertThat(succeed(dispatcher, first)).isEmpty();
    assertThat(effects(dispatcher.workerJoined(W2, now))).isEmpty();
    assertThat(dispatcher.details("").paused()).isTrue();
    assertThat(dispatcher.details("").held()).isEqualTo(4);

    assertThat(starts(steer(dispatcher, Action.RESUME, ""))).hasSize(2);
    assertThat(dispatcher.details("").held()).isZero();
  }

  @Test
  void onlyPausedTasksAreResumed() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, WorkerSize.ONE_TASK);
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("0 tasks resumed");

    steer(dispatcher, Action.PAUSE, "t0");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("1 task resumed");

    steer(dispatcher, Action.PAUSE, "");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("5 tasks resumed");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("0 tasks resumed");
  }

  @Test
  void pausedTasksAheadAreTakenBack() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> started = starts(effects(dispatcher.workerJoined(W1, now)));
    assertThat(started).hasSize(3);
    Effect.Start ahead = started.get(1);

    List<Effect> paused = steer(dispatcher, Action.PAUSE, ahead.task());

    assertThat(paused).contains(new Effect.Recall("w1", ahead.task(), ahead.attempt()));
    assertThat(effects(dispatcher.reported("w1", Reports.recalled(ahead), now))).isEmpty();
    assertThat(starts(steer(dispatcher, Action.RESUME, ahead.task())))
        .extracting(Effect.Start::task)
        .containsExactly(ahead.task());
  }

  @Test
  void runningTasksIgnorePauseAndResume() {
    Dispatcher dispatcher = begun(fan(1), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start running = start(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.workerJoined(W2, now));

    assertThat(starts(steer(dispatcher, Action.PAUSE, "t0"))).isEmpty();
    assertThat(starts(steer(dispatcher, Action.RESUME, "t0"))).isEmpty();

    assertThat(start(succeed(dispatcher, running)).task()).isEqualTo("next");
  }

  @Test
  void aTaskThatEndedWhilePausedCanRunAgainAfterAResume() {
    Dispatcher dispatcher = begun(Graphs.chain(), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start a = start(effects(dispatcher.workerJoined(W1, now)));
    steer(dispatcher, Action.PAUSE, "a");
    Effect.Start b = start(succeed(dispatcher, a));
    steer(dispatcher, Action.RESUME, "a");

    Step lost = dispatcher.reported("w1", Reports.inputLost(b, "fa"), now);

    assertThat(start(effects(lost)).task()).isEqualTo("a");
  }

  @Test
  void aPauseSurvivesARestart() {
    Dispatcher first = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start done = start(effects(first.workerJoined(W1, now)));
    steer(first, Action.PAUSE, "");
    succeed(first, done);

    Dispatcher second = Dispatchers.of(fan(2), AssignmentPolicy.DATA_AWARE, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(effects(second.start(now))).isEmpty();
    assertThat(effects(second.workerJoined(W2, now))).isEmpty();

    assertThat(starts(steer(second, Action.RESUME, ""))).hasSize(1);
  }

  @Test
  void aRequestIsAppliedOnce() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Steering pause = Steering.of(Action.PAUSE, "");
    effects(dispatcher.steer("", "one", pause, now));
    steer(dispatcher, Action.RESUME, "");

    List<Effect> again = effects(dispatcher.steer("", "one", pause, now));

    assertThat(answer(again).text()).contains("already applied");
    assertThat(starts(effects(dispatcher.workerJoined(W1, now)))).hasSize(1);
    assertThat(journal.stream().filter(DispatchRecord.Steered.class::isInstance)).hasSize(2);
  }

  @Test
  void aRequestThatMatchedNoTaskIsNotAppliedLater() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);

    SteeringAnswer answer = answer(steer(dispatcher, Action.PAUSE, "no-such-*"));

    assertThat(answer.tasks()).isZero();
    assertThat(answer.text()).contains("'no-such-*'");
    Dispatcher second = Dispatchers.of(fan(2), AssignmentPolicy.DATA_AWARE, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(
            answer(effects(second.steer("", "request0", Steering.of(Action.PAUSE, "*"), now)))
                .text())
        .contains("already applied");
  }

  @Test
  void prioritisedTasksGoFirstWhereverTheirBytesAre() {
    Workflow workflow =
        Graphs.of(
            IntStream.range(0, 6)
                .mapToObj(i -> task("t" + i, List.of("in" + i), List.of("out" + i)))
                .toList());
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, ONE_TRY, TWO_AHEAD);
    for (int i = 0; i < 6; i++) {
      dispatcher.locate("in" + i, Map.of(i == 5 ? "elsewhere" : "n1", 1000L));
    }
    dispatcher.start(now);
    effects(dispatcher.steer("", "urgent", new Steering(Action.PRIORITISE, "t5", 1), now));
    effects(dispatcher.steer("", "last", new Steering(Action.PRIORITISE, "t0", -1), now));

    List<Effect.Start> started = starts(effects(dispatcher.workerJoined(W1, now)));

    assertThat(started.get(0).task()).isEqualTo("t5");
    List<Effect.Start> more = new ArrayList<>(started);
    for (int i = 0; i < 6; i++) {
      more.addAll(starts(succeed(dispatcher, more.get(i))));
    }
    assertThat(more.get(5).task()).isEqualTo("t0");
  }

  @Test
  void tasksPrioritisedWhileWorkersAreBusyGoNext() {
    Dispatcher dispatcher = begun(fan(8), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> started = starts(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.steer("", "urgent", new Steering(Action.PRIORITISE, "t7", 5), now));

    assertThat(start(succeed(dispatcher, started.get(0))).task()).isEqualTo("t7");
  }

  @Test
  void globsMatchWholeIdsAndTypes() {
    Task task = new Task("m[1].x", "mAdd", List.of(), List.of(), List.of(), 0);

    assertThat(List.of("", "*", "m*", "m[1].x", "m[?].x", "mAdd", "m??d", "*1*x"))
        .allMatch(glob -> new TaskGlob(glob).matches(task));
    assertThat(List.of("m", "m[1]_x", "Add", "mAdd?", "x*"))
        .noneMatch(glob -> new TaskGlob(glob).matches(task));
  }

  @Test
  void prioritiesHaveBounds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Steering(Action.PRIORITISE, "", Integer.MIN_VALUE));
  }
}
