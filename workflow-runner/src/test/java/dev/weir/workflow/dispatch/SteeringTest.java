package dev.weir.workflow.dispatch;

import static dev.weir.workflow.dispatch.Graphs.task;
import static dev.weir.workflow.dispatch.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.dispatch.Steering.Action;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteeringTest {
  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");
  private static final Limits ONE_TRY = new Limits(1, 10);
  private static final WorkerSize TWO_AHEAD = new WorkerSize(1, 1L << 40, 2);

  private final List<DispatchRecord> journal = new ArrayList<>();
  private long now = 1_000;
  private int wishes;

  /** Tasks t0 to t(n-1) that need nothing, and two that need what t0 makes, one after the other. */
  private static Workflow fan(int n) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      tasks.add(task("t" + i, List.of(), List.of("f" + i)));
    }
    tasks.add(task("next", List.of("f0"), List.of("g")));
    tasks.add(task("last", List.of("g"), List.of("h")));
    return Graphs.of(tasks);
  }

  private List<Effect> effects(Step step) {
    journal.addAll(step.records());
    return step.effects();
  }

  private List<Effect> steer(Dispatcher dispatcher, Action action, String tasks) {
    return effects(dispatcher.steer("wish" + wishes++, Steering.of(action, tasks), now));
  }

  private static Effect.Start start(List<Effect> effects) {
    assertThat(starts(effects)).hasSize(1);
    return starts(effects).get(0);
  }

  private static SteeringAnswer answer(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Answer.class::isInstance)
        .map(effect -> ((Effect.Answer) effect).answer())
        .findFirst()
        .orElseThrow();
  }

  private List<Effect> succeed(Dispatcher dispatcher, Effect.Start start) {
    String node = start.worker().equals("w1") ? "n1" : "n2";
    return effects(dispatcher.reported(start.worker(), Reports.succeeded(start, node, 9), now));
  }

  private Dispatcher begun(Workflow workflow, Limits limits, WorkerSize size) {
    Dispatcher dispatcher = new Dispatcher(workflow, Policy.DATA_AWARE, limits, size);
    dispatcher.start(now);
    return dispatcher;
  }

  @Test
  void aPausedRunBeginsNothingAndGoesOnWhenItIsResumed() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start first = start(effects(dispatcher.workerJoined(W1, now)));

    assertThat(answer(steer(dispatcher, Action.PAUSE, "")).tasks()).isEqualTo(5);
    assertThat(succeed(dispatcher, first)).isEmpty();
    assertThat(effects(dispatcher.workerJoined(W2, now))).isEmpty();
    assertThat(dispatcher.details().paused()).isTrue();
    assertThat(dispatcher.details().held()).isEqualTo(4);

    assertThat(starts(steer(dispatcher, Action.RESUME, ""))).hasSize(2);
    assertThat(dispatcher.details().held()).isZero();
  }

  @Test
  void whatWasNotPausedIsNotResumed() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, WorkerSize.ONE_TASK);
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("0 tasks resumed");

    steer(dispatcher, Action.PAUSE, "t0");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("1 task resumed");

    steer(dispatcher, Action.PAUSE, "");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("5 tasks resumed");
    assertThat(answer(steer(dispatcher, Action.RESUME, "")).text()).isEqualTo("0 tasks resumed");
  }

  @Test
  void pausedTasksAreTakenBackFromWorkersThatHaveThemAhead() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> given = starts(effects(dispatcher.workerJoined(W1, now)));
    assertThat(given).hasSize(3);
    Effect.Start ahead = given.get(1);

    List<Effect> paused = steer(dispatcher, Action.PAUSE, ahead.task());

    assertThat(paused).contains(new Effect.Recall("w1", ahead.task(), ahead.attempt()));
    assertThat(effects(dispatcher.reported("w1", Reports.recalled(ahead), now))).isEmpty();
    assertThat(starts(steer(dispatcher, Action.RESUME, ahead.task())))
        .extracting(Effect.Start::task)
        .containsExactly(ahead.task());
  }

  @Test
  void aTaskThatRunsIsNotTouchedByPauseAndResume() {
    Dispatcher dispatcher = begun(fan(1), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start running = start(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.workerJoined(W2, now));

    assertThat(starts(steer(dispatcher, Action.PAUSE, "t0"))).isEmpty();
    assertThat(starts(steer(dispatcher, Action.RESUME, "t0"))).isEmpty();

    assertThat(start(succeed(dispatcher, running)).task()).isEqualTo("next");
  }

  @Test
  void aTaskThatEndedWhileItWasPausedIsNotPausedWhenItHasToBeDoneAgain() {
    Dispatcher dispatcher = begun(Graphs.chain(), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start a = start(effects(dispatcher.workerJoined(W1, now)));
    steer(dispatcher, Action.PAUSE, "a");
    Effect.Start b = start(succeed(dispatcher, a));
    steer(dispatcher, Action.RESUME, "a");

    Step lost = dispatcher.reported("w1", Reports.inputLost(b, "fa"), now);

    assertThat(start(effects(lost)).task()).isEqualTo("a");
  }

  @Test
  void whatHasToBeDoneAgainAndNeedsACancelledTaskIsCancelledTooAlsoAfterARestart() {
    Workflow workflow =
        Graphs.of(
            task("p", List.of(), List.of("fp")),
            task("d", List.of("fp"), List.of("fd")),
            task("x", List.of("fp"), List.of("fx")),
            task("e", List.of("fd"), List.of("fe")));
    Dispatcher first = begun(workflow, new Limits(3, 10), WorkerSize.ONE_TASK);
    Effect.Start d = start(succeed(first, start(effects(first.workerJoined(W1, now)))));
    Effect.Start x = start(succeed(first, d));
    assertThat(x.task()).isEqualTo("x");
    Effect.Start e = start(effects(first.reported("w1", Reports.inputLost(x, "fp"), now)));
    assertThat(e.task()).as("its bytes are near").isEqualTo("e");
    steer(first, Action.CANCEL, "p");
    assertThat(first.details().dropped()).as("p and x").isEqualTo(2);

    List<Effect> end = effects(first.reported("w1", Reports.inputLost(e, "fd"), now));

    assertThat(end).containsExactly(new Effect.Check(List.of()));
    Dispatcher second = new Dispatcher(workflow, Policy.DATA_AWARE, new Limits(3, 10));
    journal.forEach(second::replay);
    assertThat(second.details().dropped()).isEqualTo(4);
    assertThat(second.start(now).effects()).containsExactly(new Effect.Check(List.of()));
  }

  @Test
  void aPauseIsStillThereAfterARestart() {
    Dispatcher first = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start done = start(effects(first.workerJoined(W1, now)));
    steer(first, Action.PAUSE, "");
    succeed(first, done);

    Dispatcher second = new Dispatcher(fan(2), Policy.DATA_AWARE, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(effects(second.start(now))).isEmpty();
    assertThat(effects(second.workerJoined(W2, now))).isEmpty();

    assertThat(starts(steer(second, Action.RESUME, ""))).hasSize(1);
  }

  @Test
  void aWishIsFollowedOnce() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Steering pause = Steering.of(Action.PAUSE, "");
    effects(dispatcher.steer("one", pause, now));
    steer(dispatcher, Action.RESUME, "");

    List<Effect> again = effects(dispatcher.steer("one", pause, now));

    assertThat(answer(again).text()).contains("before");
    assertThat(starts(effects(dispatcher.workerJoined(W1, now)))).hasSize(1);
    assertThat(journal.stream().filter(DispatchRecord.Steered.class::isInstance)).hasSize(2);
  }

  @Test
  void aWishAboutNoTaskIsNotFollowedLaterEither() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);

    SteeringAnswer answer = answer(steer(dispatcher, Action.PAUSE, "no-such-*"));

    assertThat(answer.tasks()).isZero();
    assertThat(answer.text()).contains("'no-such-*'");
    Dispatcher second = new Dispatcher(fan(2), Policy.DATA_AWARE, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(answer(effects(second.steer("wish0", Steering.of(Action.PAUSE, "*"), now))).text())
        .contains("before");
  }

  @Test
  void cancelledTasksTakeWhatNeedsThemAlongAndTheRestIsDone() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    assertThat(t0.task()).isEqualTo("t0");

    List<Effect> cancelled = steer(dispatcher, Action.CANCEL, "t0");

    assertThat(answer(cancelled).tasks()).isEqualTo(3);
    assertThat(cancelled).contains(new Effect.Stop("w1", "t0", 1));
    Effect.Start t1 = start(effects(dispatcher.reported("w1", TaskReport.stopped("t0", 1), now)));
    assertThat(t1.task()).isEqualTo("t1");
    assertThat(succeed(dispatcher, t1)).containsExactly(new Effect.Check(List.of("f1")));
    assertThat(effects(dispatcher.checked(List.of(), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.failure().message())
                  .isEqualTo("3 tasks were cancelled: t0 and what needs their files");
              assertThat(failed.failure().cancelled()).isFalse();
            });
  }

  @Test
  void aTaskThatEndedBeforeItCouldBeStoppedIsDone() {
    Dispatcher dispatcher = begun(fan(1), ONE_TRY, WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    assertThat(steer(dispatcher, Action.CANCEL, "t0")).contains(new Effect.Check(List.of()));

    assertThat(succeed(dispatcher, t0)).isEmpty();
    assertThat(dispatcher.progress().done()).isEqualTo(1);
    assertThat(dispatcher.details().dropped()).isEqualTo(2);
  }

  @Test
  void aCancelledRunEndsAtOnceAlsoWhenItIsSaidBeforeItStarts() {
    Dispatcher dispatcher = new Dispatcher(fan(2), Policy.FIFO, ONE_TRY);

    List<Effect> effects = steer(dispatcher, Action.CANCEL, "");

    assertThat(effects).contains(new Effect.Failed(RunFailure.cancelledRun()));
    effects(dispatcher.start(now));
    assertThat(effects(dispatcher.workerJoined(W1, now))).isEmpty();
    assertThat(answer(steer(dispatcher, Action.PAUSE, "")).text()).contains("too late");

    Dispatcher second = new Dispatcher(fan(2), Policy.FIFO, ONE_TRY);
    journal.forEach(second::replay);
    assertThat(second.start(now).effects()).contains(new Effect.Failed(RunFailure.cancelledRun()));
  }

  @Test
  void whatIsPutFirstGoesFirstWhereverItsBytesAre() {
    Workflow workflow =
        Graphs.of(
            IntStream.range(0, 6)
                .mapToObj(i -> task("t" + i, List.of("in" + i), List.of("out" + i)))
                .toList());
    Dispatcher dispatcher = new Dispatcher(workflow, Policy.DATA_AWARE, ONE_TRY, TWO_AHEAD);
    for (int i = 0; i < 6; i++) {
      dispatcher.locate("in" + i, Map.of(i == 5 ? "elsewhere" : "n1", 1000L));
    }
    dispatcher.start(now);
    effects(dispatcher.steer("urgent", new Steering(Action.PRIORITISE, "t5", 1), now));
    effects(dispatcher.steer("last", new Steering(Action.PRIORITISE, "t0", -1), now));

    List<Effect.Start> given = starts(effects(dispatcher.workerJoined(W1, now)));

    assertThat(given.get(0).task()).isEqualTo("t5");
    List<Effect.Start> more = new ArrayList<>(given);
    for (int i = 0; i < 6; i++) {
      more.addAll(starts(succeed(dispatcher, more.get(i))));
    }
    assertThat(more.get(5).task()).isEqualTo("t0");
  }

  @Test
  void whatIsPutFirstWhileWorkersAreBusyIsGivenNext() {
    Dispatcher dispatcher = begun(fan(8), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> given = starts(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.steer("urgent", new Steering(Action.PRIORITISE, "t7", 5), now));

    assertThat(start(succeed(dispatcher, given.get(0))).task()).isEqualTo("t7");
  }

  @Test
  void aRunThatKeepsGoingDoesTheRestAndThenSaysWhatFailed() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY.goingOn(), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));

    Effect.Start t1 = start(effects(dispatcher.reported("w1", Reports.failed(t0, 7), now)));

    assertThat(dispatcher.details().dropped()).isEqualTo(3);
    succeed(dispatcher, t1);
    assertThat(effects(dispatcher.checked(List.of(), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class, failed -> assertThat(failed.failure().task()).isEqualTo("t0"));
  }

  @Test
  void whatFailedIsTriedAgainWithWhatNeedsIt() {
    Dispatcher dispatcher = begun(fan(2), ONE_TRY.goingOn(), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    Effect.Start t1 = start(effects(dispatcher.reported("w1", Reports.failed(t0, 7), now)));

    assertThat(answer(steer(dispatcher, Action.RETRY, "")).tasks()).isEqualTo(3);

    Effect.Start again = start(succeed(dispatcher, t1));
    assertThat(again.task()).isEqualTo("t0");
    Effect.Start next = start(succeed(dispatcher, again));
    Effect.Start last = start(succeed(dispatcher, next));
    succeed(dispatcher, last);
    assertThat(effects(dispatcher.checked(List.of(), now))).containsExactly(new Effect.Succeeded());

    Dispatcher second =
        new Dispatcher(fan(2), Policy.DATA_AWARE, ONE_TRY.goingOn(), WorkerSize.ONE_TASK);
    journal.forEach(second::replay);
    assertThat(second.start(now).effects()).singleElement().isInstanceOf(Effect.Check.class);
  }

  @Test
  void aRetryWithoutNamesLeavesWhatWasCancelled() {
    Dispatcher dispatcher = begun(fan(3), ONE_TRY.goingOn(), WorkerSize.ONE_TASK);
    effects(dispatcher.workerJoined(W1, now));
    steer(dispatcher, Action.CANCEL, "t1");

    assertThat(answer(steer(dispatcher, Action.RETRY, "")).tasks()).isZero();
    assertThat(answer(steer(dispatcher, Action.RETRY, "t1")).tasks()).isEqualTo(1);
    assertThat(dispatcher.details().dropped()).isZero();
  }

  @Test
  void whatEarlierRunsHaveDoneIsNotRun() {
    Dispatcher dispatcher = new Dispatcher(fan(1), Policy.DATA_AWARE, ONE_TRY);
    dispatcher.replay(
        new DispatchRecord.TakenOver(
            "t0", "earlier", true, List.of(new StoredFile("f0", 9, Map.of("n2", 9L)))));
    effects(dispatcher.start(now));

    assertThat(start(effects(dispatcher.workerJoined(W1, now))).task()).isEqualTo("next");
    assertThat(dispatcher.details().reused()).isEqualTo(1);
    assertThat(dispatcher.progress().done()).isEqualTo(1);
  }

  @Test
  void detailsCountTasksByType() {
    Dispatcher dispatcher = begun(fan(4), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> given = starts(effects(dispatcher.workerJoined(W1, now)));
    now = 2_000;
    succeed(dispatcher, given.get(0));

    Progress.Details details = dispatcher.details();

    assertThat(details.types())
        .singleElement()
        .satisfies(
            type -> {
              assertThat(type.done()).isEqualTo(1);
              assertThat(type.running()).isEqualTo(1);
              assertThat(type.waiting() + type.ready() + type.dropped()).isEqualTo(4);
            });
    assertThat(details.running())
        .containsExactly(new Progress.Running(given.get(1).task(), 1, "w1", "n1", 2_000));
  }

  @Test
  void theFirstLineOfAFailureIsShown() {
    Dispatcher dispatcher = begun(fan(1), new Limits(3, 3), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.reported("w1", Reports.failed(t0, 7), now));

    assertThat(dispatcher.details().failures())
        .containsExactly(new Progress.Failed("t0", 1, "n1", 7, "the end of stderr"));
  }

  @Test
  void whatBefellACommandIsShownBeforeWhatItSaid() {
    Dispatcher dispatcher = begun(fan(1), new Limits(3, 3), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    TaskReport full = Reports.nodeUnfit(t0);
    effects(dispatcher.reported("w1", full, now));

    assertThat(full.stderrTail()).isNotBlank();
    assertThat(dispatcher.details().failures())
        .containsExactly(
            new Progress.Failed("t0", 1, "n1", TaskReport.NO_EXIT_CODE, full.message()));
  }

  @Test
  void globsMatchIdsAndTypesAsAWhole() {
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
