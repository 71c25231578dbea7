package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.addition;
import static dev.weir.workflow.scheduler.Additions.plain;
import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GivenUp;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Added tasks, and how each of them ends. */
class JobsTest extends GrowingFixture {

  private static final Map<String, Long> NOWHERE = Map.of();
  private static final Map<String, Map<String, Long>> X_NOWHERE = Map.of("x", NOWHERE);

  @Test
  void anEmptyGraphOfJobsDoesNotEnd() {
    assertThat(effects(dispatcher.start(now))).isEmpty();
    assertThat(effects(dispatcher.workerJoined(ON_N1, now))).isEmpty();
    assertThat(dispatcher.progress().tasks()).isZero();
    assertThat(dispatcher.workerDemand().wantedWorkers()).isZero();
  }

  @Test
  void anAddedTaskStartsAndTheGraphContinuesAfterIt() {
    begin();

    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    assertThat(a).isEqualTo(Starts.of("w1", "a", 1, List.of("fa")));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now))).isEmpty();

    assertThat(start(growing.add(plain(task("b", List.of(), List.of())), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aTaskWaitsForTheOutputOfAnEarlierOne() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));

    assertThat(effects(growing.add(plain(task("b", List.of("fa"), List.of("fb"))), now))).isEmpty();
    assertThat(growing.isMadeHere("fa")).isTrue();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aFoundFileIsNotTheOutputOfAnotherTask() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of(), List.of("fb"))), now));
    effects(growing.add(plain(task("c", List.of("fb"), List.of())), now));
    Effect.Start b = start(growing.workerJoined(ON_N2, now));
    assertThat(b.task()).isEqualTo("b");

    Effect.Start found = Starts.of("w1", "a", a.attempt(), List.of("fa", "fb"));
    assertThat(effects(growing.reported("w1", Reports.succeeded(found, "n1", 9), now))).isEmpty();

    assertThat(start(growing.reported("w2", Reports.succeeded(b, "n2", 9), now)).task())
        .isEqualTo("c");
  }

  @Test
  void aTaskGoesToTheNodeThatKeepsWhatItReads() {
    begin();
    effects(dispatcher.workerJoined(ON_N2, now));
    effects(dispatcher.cached("w2", Map.of("x", 1L << 20), List.of(), now));

    Effect.Start reads =
        start(growing.add(addition(task("a", List.of("x"), List.of()), X_NOWHERE, 1, 0), now));

    assertThat(reads.worker()).isEqualTo("w2");
  }

  @Test
  void refusesTasksWithAReason() {
    begin();
    effects(growing.add(plain(task("a", List.of(), List.of("fa"))), now));

    assertThat(growing.refusal(plain(task("a", List.of(), List.of()))))
        .get()
        .asString()
        .contains("'a' already");
    assertThat(growing.refusal(plain(task("b", List.of("nothing"), List.of()))))
        .get()
        .asString()
        .contains("'nothing' is not in HDFS");
    assertThat(growing.refusal(plain(task("c", List.of(), List.of("fa")))))
        .get()
        .asString()
        .contains("task 'a' has yet to make its output 'fa'");
    assertThat(growing.refusal(plain(Graphs.idle("d", new ResourceNeeds(2, 0)))))
        .get()
        .asString()
        .isEqualTo(
            "it needs 2 cores, and a worker has 1 core: ask for less, or start a session with more by"
                + " --worker-cores and --worker-memory");
    assertThatThrownBy(() -> growing.add(plain(task("a", List.of(), List.of())), now))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plain(task("e", List.of("x"), List.of("x"))))
        .hasMessageContaining("reads and writes 'x'");
  }

  @Test
  void aFailureDropsOnlyDependents() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of("fb"))), now));
    effects(growing.add(plain(task("c", List.of("fb"), List.of())), now));
    effects(growing.add(plain(task("d", List.of(), List.of())), now));

    Effect.Start next = start(dispatcher.reported("w1", Reports.failed(a, 7), now));

    assertThat(next.task()).as("a may fail once").isEqualTo("d");
    assertThat(givenUp())
        .containsExactly(
            new GivenUp("a", "a", false, now),
            new GivenUp("b", "a", false, now),
            new GivenUp("c", "a", false, now));
    assertThat(growing.isMadeHere("fa")).isFalse();
    assertThat(dispatcher.workerDemand().wantedWorkers()).isEqualTo(1);
  }

  @Test
  void lossesAreRetried() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of())), now));

    Effect.Start again =
        start(dispatcher.reported("w1", Reports.failed(a, TaskReport.NO_EXIT_CODE), now));

    assertThat(again.attempt()).isEqualTo(2);
    effects(dispatcher.reported("w1", Reports.failed(again, 1), now));
    assertThat(givenUp()).hasSize(1);
  }

  @Test
  void aTaskIsCancelledInAnyState() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of(), List.of())), now));
    effects(growing.add(plain(task("c", List.of("fa"), List.of())), now));

    assertThat(effects(growing.cancel("b", now))).isEmpty();
    assertThat(effects(growing.cancel("a", now))).containsExactly(new Effect.Stop("w1", "a", 1));
    assertThat(effects(growing.cancel("unknown", now))).isEmpty();

    assertThat(givenUp())
        .containsExactly(
            new GivenUp("b", "b", true, now),
            new GivenUp("a", "a", true, now),
            new GivenUp("c", "a", true, now));
    effects(dispatcher.reported("w1", Reports.failed(a, 143), now));
    assertThat(start(growing.add(plain(task("d", List.of(), List.of("fa"))), now)).task())
        .as("the worker is free, and the file may be made by another")
        .isEqualTo("d");
  }

  @Test
  void aFileMayBeMadeAgainAfterItsProducerIsSettled() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("f"))), now));
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 1), now));

    Effect.Start b = start(growing.add(plain(task("b", List.of(), List.of("f"))), now));
    assertThat(effects(growing.add(plain(task("c", List.of("f"), List.of())), now)))
        .as("waits for the new one")
        .isEmpty();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 1), now)).task())
        .isEqualTo("c");
  }

  @Test
  void filesOnlyOnADeadNodeAreMadeAgain() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.workerJoined(ON_N2, now));

    Effect.Start b = start(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    Effect.Start again = start(dispatcher.reported("w2", Reports.inputLost(b, "fa"), now));

    assertThat(again).isEqualTo(Starts.of("w2", "a", 2, List.of("fa")));
    assertThat(start(dispatcher.reported("w2", Reports.succeeded(again, "n2", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void forgottenTasksLeaveNoState() {
    begin();
    Effect.Start a =
        start(
            growing.add(
                addition(task("a", List.of("in"), List.of("fa")), Map.of("in", NOWHERE), 1, 0),
                now));
    growing.forget(List.of("a", "unknown"));
    assertThat(dispatcher.progress().tasks()).as("not over yet").isEqualTo(1);
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));

    growing.forget(List.of("a"));

    assertThat(dispatcher.progress().tasks()).isEqualTo(1);
    assertThat(growing.isMadeHere("fa")).isFalse();
    assertThat(growing.refusal(plain(task("a", List.of(), List.of("fa"))))).isEmpty();
    assertThat(growing.refusal(plain(task("c", List.of("in"), List.of()))))
        .as("the input is not known any more")
        .isPresent();
  }

  /** In random graphs with failures, cancellations and restarts, each task ends once. */
  @Test
  void randomGraphsEnd() {
    for (int seed = 0; seed < 200; seed++) {
      new RandomGrowingGraph(seed).run();
    }
  }

  @Test
  void aRemadeInputIsNoFailureEvenIfItsProducerIsForgotten() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    for (int i = 0; i < 3; i++) {
      Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
      a = start(dispatcher.reported("w1", Reports.inputLost(b, "fa"), now));
    }
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    // As in a journal that was compacted after the first task was forgotten.
    Dispatcher next = growing(WorkerSize.ONE_TASK);
    for (DispatchRecord record : journal) {
      if (record instanceof DispatchRecord.TaskAdded added) {
        if (added.addition().task().id().equals("b")) {
          next.replay(record);
        } else {
          assertThat(next.knows(record)).as("it may be added").isTrue();
        }
      } else if (!(record instanceof DispatchRecord.FilesLost) && next.knows(record)) {
        next.replay(record);
      }
    }
    next.start(now);

    assertThat(start(next.workerJoined(ON_N2, now))).isEqualTo(Starts.of("w2", "b", 4, List.of()));
    assertThat(next.progress().failedAttempts()).isZero();
  }
}
