package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workers that return with attempts of an earlier dispatcher. */
class ReturningWorkersTest extends DispatcherFixture {

  private static final WorkerSize AHEAD = new WorkerSize(1, Long.MAX_VALUE, 2);

  private Dispatcher dispatcher =
      Dispatchers.of(Graphs.chain(), AssignmentPolicy.DATA_AWARE, LIMITS);

  private static HeldAttempt held(String task, int attempt) {
    return new HeldAttempt(task, attempt, 500, false, false);
  }

  private static HeldAttempt ended(String task, int attempt, boolean mayCommit) {
    return new HeldAttempt(task, attempt, 500, mayCommit, true);
  }

  private List<Effect> returningWorkers(WorkerInfo worker, HeldAttempt... attempts) {
    assertThat(effects(dispatcher.workerJoined(worker, now))).isEmpty();
    return effects(dispatcher.returned(worker.id(), List.of(attempts), now));
  }

  private static Effect.Start startOf(String task, int attempt, String... outputs) {
    return Starts.of("any", task, attempt, List.of(outputs));
  }

  private static Effect stop(String worker, String task, int attempt) {
    return new Effect.Stop(worker, task, attempt);
  }

  @Test
  void runningAttemptsAreNotStartedAgain() {
    assertThat(returningWorkers(ON_N1, held("a", 2))).isEmpty();
    assertThat(returningWorkers(ON_N2)).isEmpty();
    assertThat(effects(dispatcher.start(now))).isEmpty();

    long reported = now;
    Effect.Start next =
        start(
            dispatcher.reported("w1", Reports.succeeded(startOf("a", 2, "fa"), "n1", 9), reported));

    assertThat(next.task()).isEqualTo("b");
    AttemptEnded ended = (AttemptEnded) journal.get(0);
    assertThat(ended.worker()).isEqualTo(ON_N1);
    assertThat(ended.dispatchedMillis()).as("when it was assigned").isEqualTo(1_001 - 500);
    assertThat(ended.readyMillis()).isEqualTo(ended.dispatchedMillis());
  }

  @Test
  void aFailedAttemptIsFollowedByTheNext() {
    returningWorkers(ON_N1, held("a", 2));
    effects(dispatcher.start(now));

    Effect.Start again =
        start(dispatcher.reported("w1", Reports.failed(startOf("a", 2, "fa"), 7), now));

    assertThat(again.attempt()).isEqualTo(3);
  }

  @Test
  void theTaskOfAReturnedWorkerMovesWhenItIsLost() {
    returningWorkers(ON_N1, held("a", 1));
    returningWorkers(ON_N2);
    effects(dispatcher.start(now));

    Effect.Start again = start(dispatcher.workerLost("w1", "killed", now));

    assertThat(again.worker()).isEqualTo("w2");
    assertThat(again.attempt()).isEqualTo(2);
  }

  @Test
  void doneAndUnknownAttemptsAreStopped() {
    dispatcher.replay(
        new AttemptEnded(
            ON_N2,
            1,
            1,
            2,
            Reports.succeeded(startOf("a", 1, "fa"), Set.of("n2")),
            false,
            false,
            null));

    assertThat(returningWorkers(ON_N1, held("a", 2), held("another run's", 1)))
        .containsExactly(stop("w1", "a", 2), stop("w1", "another run's", 1));
    assertThat(effects(dispatcher.reported("w1", TaskReport.stopped("a", 2), now))).isEmpty();
    assertThat(journal).isEmpty();
    assertThat(start(dispatcher.start(now)).task()).isEqualTo("b");
  }

  @Test
  void aRecordedEndIsNotCountedTwice() {
    dispatcher.replay(
        new AttemptEnded(
            ON_N1, 1, 1, 2, Reports.failed(startOf("a", 1, "fa"), 7), false, false, null));

    assertThat(returningWorkers(ON_N1, held("a", 1))).containsExactly(stop("w1", "a", 1));
    assertThat(effects(dispatcher.reported("w1", Reports.failed(startOf("a", 1), 7), now)))
        .isEmpty();

    assertThat(journal).isEmpty();
    assertThat(start(dispatcher.start(now)).attempt()).isEqualTo(2);
  }

  @Test
  void attemptsThatEndedWithoutAMasterCount() {
    returningWorkers(ON_N1, held("a", 1), held("b", 1));
    assertThat(
            effects(
                dispatcher.reported("w1", Reports.succeeded(startOf("a", 1, "fa"), "n1", 9), now)))
        .isEmpty();
    assertThat(effects(dispatcher.start(now))).isEmpty();

    assertThat(
            start(dispatcher.reported("w1", Reports.succeeded(startOf("b", 1, "fb"), "n1", 9), now))
                .task())
        .isEqualTo("c");
  }

  @Test
  void aTaskWithUnreportedInputsContinues() {
    // The worker of its producer has not returned, and may be lost with its report.
    returningWorkers(ON_N1, held("b", 1));
    returningWorkers(ON_N2);

    Effect.Start producer = start(dispatcher.start(now));
    assertThat(producer.task()).isEqualTo("a");
    assertThat(
            effects(
                dispatcher.reported("w1", Reports.succeeded(startOf("b", 1, "fb"), "n1", 9), now)))
        .hasOnlyElementsOfType(Effect.Start.class)
        .hasSize(1);
    assertThat(dispatcher.progress().done()).isEqualTo(1);
  }

  @Test
  void aTaskAheadOnAReturnedWorkerCanBeTakenBack() {
    dispatcher =
        Dispatchers.of(
            Graphs.of(
                task("x", List.of(), List.of("fx")),
                task("y", List.of(), List.of("fy")),
                task("z", List.of(), List.of("fz"))),
            AssignmentPolicy.DATA_AWARE,
            LIMITS,
            AHEAD);
    returningWorkers(ON_N1, held("x", 1), held("y", 1), held("z", 1));
    returningWorkers(ON_N2);
    returningWorkers(new WorkerInfo("w3", "n3", "/r"));

    assertThat(effects(dispatcher.start(now)))
        .containsExactlyInAnyOrder(
            new Effect.Recall("w1", "y", 1), new Effect.Recall("w1", "z", 1));
    Effect.Start taken = start(dispatcher.reported("w1", TaskReport.recalled("y", 1), now));
    assertThat(taken.worker()).isIn("w2", "w3");
    assertThat(taken.attempt()).isEqualTo(2);
  }

  @Test
  void noneCommitsBeforeAllReturnAndThenOneOfTwo() {
    returningWorkers(ON_N1, held("a", 1));
    assertThat(effects(dispatcher.mayCommit("w1", "a", 1, now))).isEmpty();
    assertThat(returningWorkers(ON_N2, new HeldAttempt("a", 2, 100, true, false)))
        .as("it was let commit before")
        .containsExactly(stop("w1", "a", 1));

    assertThat(effects(dispatcher.start(now)))
        .containsExactly(new Effect.Permit("w1", "a", 1, false));
    effects(dispatcher.reported("w1", TaskReport.stopped("a", 1), now));
    effects(dispatcher.reported("w2", Reports.succeeded(startOf("a", 2, "fa"), "n2", 9), now));

    assertThat(dispatcher.progress().done()).isEqualTo(1);
  }

  @Test
  void anEarlierCommitPermissionExcludesOthers() {
    returningWorkers(ON_N1, new HeldAttempt("a", 1, 100, true, false));

    assertThat(returningWorkers(ON_N2, held("a", 2))).containsExactly(stop("w2", "a", 2));
    effects(dispatcher.start(now));

    assertThat(effects(dispatcher.mayCommit("w2", "a", 2, now)))
        .containsExactly(new Effect.Permit("w2", "a", 2, false));
    assertThat(effects(dispatcher.mayCommit("w1", "a", 1, now)))
        .containsExactly(new Effect.Permit("w1", "a", 1, true));
  }

  @Test
  void anEndedAttemptDoesNotStopALaterOneOnTheSameWorker() {
    assertThat(returningWorkers(ON_N1, ended("a", 1, false), held("a", 2))).isEmpty();
    assertThat(effects(dispatcher.reported("w1", Reports.failed(startOf("a", 1, "fa"), 7), now)))
        .isEmpty();
    assertThat(effects(dispatcher.start(now))).isEmpty();

    assertThat(
            start(dispatcher.reported("w1", Reports.succeeded(startOf("a", 2, "fa"), "n1", 9), now))
                .task())
        .isEqualTo("b");
    assertThat(journal).as("the end of each").hasSize(2);
  }

  @Test
  void aFailedAttemptWithPermissionDoesNotStopAnother() {
    assertThat(returningWorkers(ON_N1, ended("a", 1, true))).isEmpty();
    assertThat(returningWorkers(ON_N2, held("a", 2))).isEmpty();
    assertThat(returningWorkers(new WorkerInfo("w3", "n3", "/r"), held("a", 3))).isEmpty();
    effects(dispatcher.reported("w1", Reports.failed(startOf("a", 1, "fa"), 7), now));
    effects(dispatcher.start(now));

    assertThat(effects(dispatcher.mayCommit("w2", "a", 2, now)))
        .containsExactlyInAnyOrder(stop("w3", "a", 3), new Effect.Permit("w2", "a", 2, true));
  }

  @Test
  void aSuccessStopsTheOtherAttempt() {
    returningWorkers(ON_N1, ended("a", 1, true));
    returningWorkers(ON_N2, held("a", 2));

    assertThat(
            effects(
                dispatcher.reported("w1", Reports.succeeded(startOf("a", 1, "fa"), "n1", 9), now)))
        .containsExactly(stop("w2", "a", 2));
    assertThat(start(dispatcher.start(now)).task()).isEqualTo("b");
    effects(dispatcher.reported("w2", TaskReport.stopped("a", 2), now));
    assertThat(dispatcher.progress().done()).isEqualTo(1);
  }

  @Test
  void failuresWithoutAMasterAreRetried() {
    returningWorkers(ON_N1, ended("a", 1, false));
    effects(dispatcher.reported("w1", Reports.failed(startOf("a", 1, "fa"), 7), now));
    // A repeated report counts once.
    effects(dispatcher.reported("w1", Reports.failed(startOf("a", 1, "fa"), 7), now));

    assertThat(start(dispatcher.start(now)).attempt()).isEqualTo(2);
    assertThat(journal).hasSize(1);
    assertThat(dispatcher.progress().failedAttempts()).isEqualTo(1);
  }

  @Test
  void twoReturnedAttemptsContinueAndTheFirstThatAsksCommits() {
    returningWorkers(ON_N1, held("a", 1));
    assertThat(returningWorkers(ON_N2, held("a", 2))).isEmpty();
    WorkerInfo third = new WorkerInfo("w3", "n3", "/r");
    assertThat(returningWorkers(third, held("a", 3))).containsExactly(stop("w3", "a", 3));
    effects(dispatcher.start(now));

    assertThat(effects(dispatcher.mayCommit("w2", "a", 2, now)))
        .containsExactlyInAnyOrder(stop("w1", "a", 1), new Effect.Permit("w2", "a", 2, true));
  }

  @Test
  void endsOfSettledTasksAreForgottenAtTheStart() {
    dispatcher.replay(
        new AttemptEnded(
            ON_N1, 1, 1, 2, Reports.failed(startOf("a", 1, "fa"), 7), false, false, null));
    dispatcher.replay(
        new AttemptEnded(
            ON_N2,
            1,
            1,
            2,
            Reports.succeeded(startOf("a", 2, "fa"), Set.of("n2")),
            false,
            false,
            null));
    dispatcher.replay(
        new AttemptEnded(
            ON_N1, 1, 1, 2, Reports.failed(startOf("b", 1, "fb"), 7), false, false, null));
    assertThat(dispatcher.returningWorkers().remembered()).isEqualTo(3);

    effects(dispatcher.start(now));

    assertThat(dispatcher.returningWorkers().remembered()).as("that of b").isEqualTo(1);
  }
}
