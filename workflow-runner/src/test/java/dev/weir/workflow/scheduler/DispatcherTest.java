package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.PendingInputs;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatcherTest extends DispatcherFixture {

  @Test
  void aTaskStartsWhenItsInputsAreAvailableAndAWorkerIsFree() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);

    assertThat(effects(dispatcher.start(now))).isEmpty();
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(a).isEqualTo(Starts.of("w1", "a", 1, List.of("fa")));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    assertThat(b.task()).isEqualTo("b");
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now)))
        .containsExactly(new Effect.Check("", List.of("fc")));
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .containsExactly(new Effect.Succeeded(""));
  }

  @Test
  void aRestartedRunWithAllTasksDoneChecksItsResults() {
    finished(LIMITS);

    Dispatcher second = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    journal.forEach(second::replay);

    assertThat(second.start(now).effects()).containsExactly(new Effect.Check("", List.of("fc")));
  }

  @Test
  void partialOutputOfALostAttemptIsRemovedAtOnce() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.workerLost("w1", "killed", now)))
        .containsExactly(new Effect.Discard("a", 1, List.of("fa")));
  }

  @Test
  void returnsPendingInputsAndTheReadRate() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(dispatcher.workerDemand().pendingInputs(4))
        .isEqualTo(new PendingInputs(List.of(), 0));
    start(dispatcher.reported("w1", read(a, 30_000_000), now));
    effects(dispatcher.workerLost("w1", "gone", now));

    assertThat(dispatcher.workerDemand().pendingInputs(4))
        .isEqualTo(new PendingInputs(List.of("fa"), 60_000_000));
    assertThat(dispatcher.workerDemand().pendingInputs(0).inputs()).isEmpty();
    Dispatcher second = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    journal.forEach(second::replay);
    assertThat(second.workerDemand().pendingInputs(0).bytesPerSecond()).isEqualTo(60_000_000);
  }

  @Test
  void smallReadsAreNotMeasured() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    start(dispatcher.reported("w1", read(a, 1_000), now));

    assertThat(dispatcher.workerDemand().pendingInputs(0).bytesPerSecond()).isZero();
  }

  /** A success that read this many remote bytes within half a second. */
  private static TaskReport read(Effect.Start start, long bytes) {
    TaskReport done = Reports.succeeded(start, "n2", 9);
    return new TaskReport(
        done.task(),
        done.attempt(),
        done.result(),
        done.exitCode(),
        "",
        "",
        List.of(),
        done.outputs(),
        new TaskReport.Usage(0, 500, 0, 0, 0, bytes, 0, 0));
  }

  @Test
  void fifoIgnoresBytes() {
    Dispatcher dispatcher = located(AssignmentPolicy.FIFO);

    assertThat(start(dispatcher.workerJoined(ON_N2, now)).task()).isEqualTo("first");
  }

  @Test
  void dataAwareAssignsTheTaskWithLocalBytes() {
    Dispatcher dispatcher = located(AssignmentPolicy.DATA_AWARE);

    assertThat(start(dispatcher.workerJoined(ON_N2, now)).task()).isEqualTo("second");
    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("first");
  }

  @Test
  void tiesGoToTheHigherRank() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(
                task("short", List.of("in"), List.of("s")),
                task("long", List.of("in"), List.of("l")),
                task("after", List.of("l"), List.of("end"))),
            AssignmentPolicy.DATA_AWARE,
            LIMITS);
    dispatcher.start(now);

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("long");
  }

  @Test
  void aFailedTaskIsRetriedOnAnotherNode() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(task("a", List.of("in"), List.of("f"))), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start first = start(dispatcher.workerJoined(ON_N1, now));
    dispatcher.workerJoined(ON_N2, now);

    Effect.Start second = start(dispatcher.reported("w1", Reports.failed(first, 7), now));

    assertThat(second.worker()).isEqualTo("w2");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.timeLimitSeconds(60)).as("of the second attempt").isEqualTo(120);
  }

  @Test
  void aPermanentFailureEndsTheRunWithDetails() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(task("a", List.of("in"), List.of("f"))), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start attempt = start(dispatcher.workerJoined(ON_N1, now));
    attempt = start(dispatcher.reported("w1", Reports.failed(attempt, 7), now));
    attempt = start(dispatcher.reported("w1", Reports.failed(attempt, 7), now));

    assertThat(effects(dispatcher.reported("w1", Reports.failed(attempt, 7), now)))
        .containsExactly(
            new Effect.Failed(
                "",
                new RunFailure(
                    "a",
                    3,
                    List.of("true", "a"),
                    7,
                    "n1",
                    "FAILED on purpose",
                    "the end of stderr")));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void aTaskIsRetriedAsOftenAsItDeclares(int retries) {
    Task declaring =
        task("a", List.of(), List.of("f")).withNeeds(TaskNeeds.UNKNOWN.withRetries(retries));
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.of(declaring), AssignmentPolicy.FIFO, new Limits(3, 10));
    dispatcher.start(now);
    Effect.Start attempt = start(dispatcher.workerJoined(ON_N1, now));
    for (int i = 0; i < retries; i++) {
      attempt = start(dispatcher.reported("w1", Reports.failed(attempt, 7), now));
    }

    assertThat(effects(dispatcher.reported("w1", Reports.failed(attempt, 7), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void theTaskOfALostWorkerMovesAndItsLateReportIsIgnored() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start first = start(dispatcher.workerJoined(ON_N1, now));
    dispatcher.workerJoined(ON_N2, now);

    Effect.Start again = start(dispatcher.workerLost("w1", "gone", now));
    assertThat(again).isEqualTo(Starts.of("w2", "a", 2, List.of("fa")));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(first, "n1", 9), now)))
        .isEmpty();
    assertThat(effects(dispatcher.reported("w2", Reports.succeeded(first, "n1", 9), now)))
        .as("an attempt that is not this worker's")
        .isEmpty();
    assertThat(dispatcher.progress().done()).isZero();
  }

  @Test
  void aReplayedRunContinuesAfterTheLastRecord() {
    Dispatcher first = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    effects(first.start(now));
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    Effect.Start b = start(first.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(first.reported("w1", Reports.failed(b, 1), now));

    Dispatcher second = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    journal.forEach(second::replay);
    second.start(now);

    assertThat(second.progress().done()).isEqualTo(1);
    assertThat(start(second.workerJoined(ON_N2, now)))
        .as("attempts that ended count, one that was only begun does not")
        .extracting(Effect.Start::task, Effect.Start::attempt)
        .containsExactly("b", 2);
  }

  @Test
  void failuresSurviveARestart() {
    Dispatcher first = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    first.start(now);
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    a = start(first.reported("w1", Reports.failed(a, 1), now));
    effects(first.reported("w1", Reports.inputLost(a, "in"), now));

    Dispatcher second = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    journal.forEach(second::replay);
    second.start(now);
    a = start(second.workerJoined(ON_N2, now));

    assertThat(effects(second.reported("w2", Reports.failed(a, 7), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
    assertThat(second.progress().failedAttempts()).isEqualTo(3);
  }

  @Test
  void aTaskThatLosesEveryWorkerFailsTheRun() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(3, 2));
    dispatcher.start(now);
    start(dispatcher.workerJoined(ON_N1, now));
    dispatcher.workerJoined(ON_N2, now);
    start(dispatcher.workerLost("w1", "killed", now));

    assertThat(effects(dispatcher.workerLost("w2", "killed", now)))
        .last()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> assertThat(failed.failure().message()).isEqualTo("killed"));
  }

  @Test
  void aWorkerThatJoinsTwiceKeepsItsTask() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.workerJoined(ON_N1, now))).isEmpty();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aTaskMayComeAfterAnotherWithoutReadingItsFiles() {
    Task second = new Task("second", "type", List.of(), List.of(), List.of(), List.of("first"), 9);
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(second, task("first", List.of(), List.of())),
            AssignmentPolicy.DATA_AWARE,
            LIMITS);
    dispatcher.start(now);

    Effect.Start first = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(first.task()).isEqualTo("first");
    assertThat(effects(dispatcher.workerJoined(ON_N2, now))).isEmpty();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(first, "n1", 0), now)).task())
        .isEqualTo("second");
  }

  private Dispatcher located(AssignmentPolicy policy) {
    Workflow workflow =
        Graphs.of(
            task("first", List.of("in1"), List.of("f1")),
            task("second", List.of("in2"), List.of("f2")));
    Dispatcher dispatcher = Dispatchers.of(workflow, policy, LIMITS);
    dispatcher.locate("in1", Map.of("n1", 1000L));
    dispatcher.locate("in2", Map.of("n2", 1000L));
    dispatcher.start(now);
    return dispatcher;
  }
}
