package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost files are made again recursively, up to a limit. */
class LostFilesTest extends DispatcherFixture {

  @Test
  void aLostResultIsMadeAgainBeforeTheRunEnds() {
    Dispatcher dispatcher = finished(LIMITS);

    Effect.Start again = start(dispatcher.checked("", List.of("fc"), now));

    assertThat(again).isEqualTo(Starts.of("w1", "c", 2, List.of("fc")));
    assertThat(journal).contains(new DispatchRecord.FilesLost(List.of("fc")));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now)))
        .containsExactly(new Effect.Check("", List.of("fc")));
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .containsExactly(new Effect.Succeeded(""));
  }

  @Test
  void aResultOnlyOnADeadNodeIsMadeAgainWithItsInputs() {
    Dispatcher dispatcher = finished(LIMITS);
    effects(dispatcher.workerLost("w1", "node down", now));
    dispatcher.workerJoined(ON_N2, now);

    Effect.Start again = start(dispatcher.checked("", List.of("fc"), now));

    assertThat(again.task())
        .as("fb was only on the dead node, and fa, which makes it")
        .isEqualTo("a");
  }

  @Test
  void aResultThatIsAlwaysLostFailsTheRun() {
    Dispatcher dispatcher = finished(new Limits(3, 1));

    assertThat(effects(dispatcher.checked("", List.of("fc"), now)))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.failure().byTask()).isFalse();
              assertThat(failed.failure().message()).contains("fc");
            });
  }

  @Test
  void aLostInputIsMadeAgainAndIsNoFailure() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 4));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    Effect.Start again = start(dispatcher.reported("w1", Reports.inputLost(b, "fa"), now));

    assertThat(again).isEqualTo(Starts.of("w1", "a", 2, List.of("fa")));
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void filesAreMadeAgainRecursively() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    Effect.Start bAgain = start(dispatcher.reported("w1", Reports.inputLost(c, "fb"), now));
    assertThat(bAgain.task()).isEqualTo("b");

    Effect.Start aAgain = start(dispatcher.reported("w1", Reports.inputLost(bAgain, "fa"), now));

    assertThat(aAgain.task()).isEqualTo("a");
  }

  @Test
  void filesOnlyOnADeadNodeAreLostTogether() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(
                task("a", List.of("in"), List.of("fa")),
                task("b", List.of("in"), List.of("fb")),
                task("join", List.of("fa", "fb"), List.of("end"))),
            AssignmentPolicy.FIFO,
            LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    Effect.Start join = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    dispatcher.workerJoined(ON_N2, now);
    Effect.Start onN2 = start(dispatcher.workerLost("w1", "node down", now));
    assertThat(onN2.task()).isEqualTo(join.task());

    dispatcher.reported("w2", Reports.inputLost(onN2, "fa"), now);

    assertThat(dispatcher.progress().done()).as("both producers are to run again").isZero();
  }

  @Test
  void aLostInputWithoutProducerFailsTheTask() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 4));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.inputLost(a, "in"), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void anUnnamedLossIsAFailure() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 4));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.inputLost(a), now)))
        .singleElement()
        .isInstanceOf(Effect.Failed.class);
  }

  @Test
  void aLostInputCountsAsNoFailedAttempt() {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, new Limits(1, 4));
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    effects(dispatcher.reported("w1", Reports.inputLost(b, "fa"), now));

    assertThat(dispatcher.progress().failedAttempts()).isZero();
  }

  @Test
  void onlyLostOutputsAreCommittedAgain() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(
                task("a", List.of(), List.of("x", "y")), task("b", List.of("x", "y"), List.of())),
            AssignmentPolicy.FIFO,
            LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    assertThat(start(dispatcher.reported("w1", Reports.inputLost(b, "y"), now)))
        .isEqualTo(Starts.of("w1", "a", 2, List.of("y")));
  }

  @Test
  void aLateLossReportAboutARemadeFileIsIgnored() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(
                task("a", List.of(), List.of("x")),
                task("b1", List.of("x"), List.of()),
                task("b2", List.of("x"), List.of())),
            AssignmentPolicy.FIFO,
            LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b1 = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    Effect.Start b2 = start(dispatcher.workerJoined(ON_N2, now));
    Effect.Start again = start(dispatcher.reported("w1", Reports.inputLost(b1, "x"), now));
    effects(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now));
    journal.clear();

    assertThat(start(dispatcher.reported("w2", Reports.inputLost(b2, "x"), now)))
        .isEqualTo(Starts.of("w2", "b2", 2, List.of()));
    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
  }

  @Test
  void aNodeWithoutReturningWorkerCountsAsLost() {
    Workflow workflow =
        Graphs.of(
            task("a", List.of("in"), List.of("fa")),
            task("b", List.of("in"), List.of("fb")),
            task("join", List.of("fa", "fb"), List.of("end")));
    Dispatcher first = Dispatchers.of(workflow, AssignmentPolicy.FIFO, LIMITS);
    first.start(now);
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    Effect.Start b = start(first.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(first.reported("w1", Reports.succeeded(b, "n1", 9), now));

    Dispatcher second = Dispatchers.of(workflow, AssignmentPolicy.FIFO, LIMITS);
    journal.forEach(second::replay);
    second.start(now);
    Effect.Start join = start(second.workerJoined(ON_N2, now));
    assertThat(join.task()).isEqualTo("join");
    second.reported("w2", Reports.inputLost(join, "fb"), now);

    assertThat(second.progress().done()).as("both producers are to run again").isZero();
  }
}
