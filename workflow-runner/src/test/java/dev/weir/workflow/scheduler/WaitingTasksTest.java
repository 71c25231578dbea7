package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static dev.weir.workflow.scheduler.WaitingRun.ONE_AHEAD;
import static dev.weir.workflow.scheduler.WaitingRun.SMALL;
import static dev.weir.workflow.scheduler.WaitingRun.busyForThreeSeconds;
import static dev.weir.workflow.scheduler.WaitingRun.waitingForBusyWorker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that wait for a busy worker, and other tasks meanwhile. */
class WaitingTasksTest {

  private static final WorkerSize TWO_CORES = new WorkerSize(2, 1L << 30, 1);

  @Test
  void aRegionSavesAtMostItsOwnBytes() {
    WaitingRun run =
        busyForThreeSeconds()
            .file("two", 10 * LARGE, "n1")
            .task("next", 1, "two@0+" + LARGE / 5, "first")
            .begin(2, ONE_AHEAD);

    run.ended("first");

    assertThat(run.nodeOf("next")).as("3 s, and 2 s over a link").isEqualTo("n2");
  }

  @Test
  void aWaitingTaskIsTakenBackAfterTheTimeOfAMove() {
    WaitingRun run = waitingForBusyWorker();

    assertThat(run.at(9.9).tick().effects()).as("2.5 s more, perhaps").isEmpty();
    assertThat(run.at(10).tick().effects()).containsExactly(run.recall("next"));
    run.givenBack("next");
    assertThat(run.nodeOf("next")).isEqualTo("n2");
  }

  @Test
  void aTaskTakenBackDoesNotWaitAgain() {
    WaitingRun run =
        busyForThreeSeconds()
            .file("three", SMALL, "n3")
            .file("two", LARGE, "n1", "n3")
            .task("longer", 12, "three")
            .task("next", 1, "two", "first")
            .begin(3, ONE_AHEAD);
    run.ended("first");
    assertThat(run.nodeOf("next")).isEqualTo("n1");
    run.at(10).tick();

    run.givenBack("next");

    assertThat(run.nodeOf("next")).as("n3 is to have room in 2 s").isEqualTo("n2");
  }

  @Test
  void anUrgentTaskWaitsNoLonger() {
    WaitingRun run = waitingForBusyWorker();

    Step step = run.steered(new Steering(Action.PRIORITISE, "next", 1));

    assertThat(step.effects()).contains(run.recall("next"));
    run.givenBack("next");
    assertThat(run.nodeOf("next")).isEqualTo("n2");
  }

  /** A task may wait for n1 for 90 s, and is paused after a second; n2 is idle. */
  private static WaitingRun pausedWhileItWaits() {
    WaitingRun run =
        new WaitingRun()
            .file("one", SMALL, "n1")
            .file("far", SMALL, "n2")
            .file("two", 10 * LARGE, "n1")
            .task("run", 90, "one")
            .task("first", 9, "far")
            .task("other", 9, "far", "first")
            .task("next", 1, "two", "first")
            .begin(2, ONE_AHEAD);
    run.steered(Action.PAUSE, "other");
    run.ended("first");
    assertThat(run.nodeOf("next")).as("90 s, and 100 s over a link").isEqualTo("n1");
    assertThat(run.at(1).steered(Action.PAUSE, "next").effects()).contains(run.recall("next"));
    run.givenBack("next");
    return run;
  }

  @Test
  void aPauseResetsTheWait() {
    WaitingRun run = pausedWhileItWaits();
    run.steered(Action.RESUME, "other");
    assertThat(run.nodeOf("other")).isEqualTo("n2");
    run.at(105).steered(Action.RESUME, "next");
    assertThat(run.nodeOf("next")).isEqualTo("n1");

    Step step = run.at(106).ended("other");

    assertThat(step.effects()).as("26 s more, perhaps, and 100 s over a link").isEmpty();
  }

  @Test
  void afterAPauseTheWaitIsDecidedAgain() {
    WaitingRun run = pausedWhileItWaits();

    run.at(2).steered(Action.RESUME, "next");

    assertThat(run.attempt("next").attempt()).isEqualTo(2);
    assertThat(run.nodeOf("next")).isEqualTo("n1");
  }

  @Test
  void anOverlongWaitIsFoundBehindManyJustifiedOnes() {
    WaitingRun run = new WaitingRun().file("far", SMALL, "n18").task("go", 9, "far");
    for (int i = 1; i <= 17; i++) {
      boolean hangs = i == 17;
      run.file("one" + i, SMALL, "n" + i)
          .file("two" + i, hangs ? LARGE : 1_000 * LARGE, "n" + i)
          .task("run" + i, hangs ? 3 : 5_000, "one" + i)
          .task("next" + i, 1, "two" + i, "go");
    }
    run.begin(18, ONE_AHEAD).ended("go");
    for (int i = 1; i <= 17; i++) {
      assertThat(run.nodeOf("next" + i)).isEqualTo("n" + i);
    }

    List<Effect> effects = new ArrayList<>(run.at(10).tick().effects());
    effects.addAll(run.at(11).tick().effects());

    assertThat(effects).containsExactly(run.recall("next17"));
  }

  /** The effects within some seconds after a time, with a tick each second. */
  private static List<Effect> ticks(WaitingRun run, int from, int seconds) {
    List<Effect> effects = new ArrayList<>();
    for (int second = from; second < from + seconds; second++) {
      effects.addAll(run.at(second).tick().effects());
    }
    return effects;
  }

  /** Frees a core on each of these nodes, where tasks of two cores have no room. */
  private static void halfBusy(WaitingRun run, int first, int last) {
    for (int i = first; i <= last; i++) {
      run.file("half" + i, SMALL, "n" + i).task("half" + i, 5_000, "half" + i);
    }
  }

  @Test
  void theOnlyWorkerWithRoomIsFoundAmongManyIdleOnes() {
    WaitingRun run =
        new WaitingRun()
            .file("one", SMALL, "n1")
            .file("two", LARGE, "n1")
            .file("far", SMALL, "n18")
            .task("run", 2, 3, "one")
            .task("go", 2, 9, "far")
            .task("next", 2, 1, "two", "go");
    halfBusy(run, 2, 17);
    run.begin(18, TWO_CORES).ended("go");
    assertThat(run.nodeOf("next")).isEqualTo("n1");

    assertThat(ticks(run, 10, 2)).containsExactly(run.recall("next"));

    run.givenBack("next");
    assertThat(run.nodeOf("next")).isEqualTo("n18");
  }

  @Test
  void theOnlyWorkerWithRoomIsFoundBehindManyWithBytes() {
    WaitingRun run = new WaitingRun().file("far", SMALL, "n25").task("go", 2, 9, "far");
    for (int i = 1; i <= 3; i++) {
      run.file("one" + i, SMALL, "n" + i)
          .file("two" + i, LARGE, "n" + i)
          .task("run" + i, 2, 3, "one" + i)
          .task("next" + i, 2, 1, "two" + i, "go");
      for (int k = 0; k < 7; k++) {
        run.part("two" + i, LARGE, "n" + (7 * i - 3 + k), 1);
      }
    }
    halfBusy(run, 4, 24);
    run.begin(25, TWO_CORES).ended("go");
    for (int i = 1; i <= 3; i++) {
      assertThat(run.nodeOf("next" + i)).isEqualTo("n" + i);
    }

    assertThat(ticks(run, 10, 2)).hasSize(1).hasOnlyElementsOfType(Effect.Recall.class);
  }

  @Test
  void everyIdleWorkerIsTriedWithEveryWaitingTask() {
    WaitingRun run = new WaitingRun().file("far", SMALL, "n51").task("go", 2, 9, "far");
    for (int i = 1; i <= 48; i++) {
      boolean hangs = i == 20;
      run.file("one" + i, SMALL, "n" + i)
          .file("two" + i, hangs ? LARGE : 1_000 * LARGE, "n" + i)
          .task("run" + i, 2, hangs ? 3 : 5_000, "one" + i)
          .task("next" + i, 2, 1, "two" + i, "go");
    }
    halfBusy(run, 49, 50);
    run.begin(51, TWO_CORES).ended("go");

    assertThat(ticks(run, 10, 4))
        .as("n49 and n50 have no room, and must not see it each time that n51 sees others")
        .containsExactly(run.recall("next20"));
  }

  /** A straggler on n1; three tasks of its type have ended on n3, which is idle then. */
  private static WaitingRun withStraggler(double busySeconds, long bytes) {
    WaitingRun run =
        new WaitingRun()
            .file("a", SMALL, "n1")
            .file("b", SMALL, "n2")
            .file("c", SMALL, "n3")
            .file("two", bytes, "n2")
            .task("same0", 5, "a")
            .task("busy", busySeconds, "b")
            .task("same1", 5, "c")
            .task("same2", 5, "c", "same1")
            .task("same3", 5, "c", "same2")
            .task("next", 1, "two", "same3")
            .begin(3, ONE_AHEAD);
    run.dispatcher().speculate(true);
    run.at(1);
    for (String task : List.of("same1", "same2", "same3")) {
      run.ended(task);
    }
    assertThat(run.nodeOf("next")).isEqualTo("n2");
    assertThat(run.nodeOf("same0")).isEqualTo("n1");
    return run;
  }

  @Test
  void aStragglerIsCopiedWhileAnotherTaskWaits() {
    WaitingRun run = withStraggler(5_000, 1_000 * LARGE);

    assertThat(run.at(60).tick().effects()).hasSize(1);

    assertThat(run.attempt("same0").copy()).isTrue();
    assertThat(run.nodeOf("same0")).isEqualTo("n3");
  }

  @Test
  void anOverlongWaitComesBeforeACopy() {
    WaitingRun run = withStraggler(3, LARGE);

    assertThat(run.at(60).tick().effects()).containsExactly(run.recall("next"));
  }

  @Test
  void aLargeTaskDoesNotBlockAFreeCore() {
    WaitingRun run =
        busyForThreeSeconds()
            .file("two", LARGE, "n1")
            .task("next", 2, 1, "two", "first")
            .begin(2, TWO_CORES);

    run.ended("first");

    assertThat(run.nodeOf("next")).isEqualTo("n2");
  }

  @Test
  void aTaskGetsTheNodeThatAWaitingTaskLeaves() {
    WaitingRun run =
        new WaitingRun()
            .file("one", SMALL, "n3")
            .file("far", SMALL, "n1")
            .part("x", LARGE, "n3", LARGE)
            .part("x", LARGE, "n1", LARGE / 2)
            .part("y", LARGE * 4 / 10, "n1", LARGE * 4 / 10)
            .part("y", LARGE * 4 / 10, "n2", LARGE * 3 / 10)
            .task("run", 1, "one")
            .task("go", 9, "far")
            .task("readsX", 1, "x", "go")
            .task("readsY", 1, "y", "go")
            .begin(3, ONE_AHEAD);

    run.ended("go");

    assertThat(run.nodeOf("readsX")).as("1 s, and 5 s over a link").isEqualTo("n3");
    assertThat(run.nodeOf("readsY")).as("its bytes are there").isEqualTo("n1");
  }

  @Test
  void aTaskIsTakenBackWhileReadyTasksHaveNoRoom() {
    WaitingRun run =
        new WaitingRun()
            .file("one", SMALL, "n1")
            .file("far", SMALL, "n2")
            .file("two", LARGE, "n1")
            .file("huge", 1_000 * LARGE, "n1")
            .task("run", 2, 3, "one")
            .task("first", 9, "far")
            .task("long", 5_000, "far")
            .task("next", 1, "two", "first")
            .task("wide", 2, 1, "huge", "first")
            .begin(2, TWO_CORES);
    run.ended("first");
    assertThat(run.nodeOf("next")).isEqualTo("n1");
    assertThat(run.dispatcher().progress().ready()).as("one ahead, one ready").isEqualTo(2);

    assertThat(run.at(10).tick().effects()).containsExactly(run.recall("next"));
  }
}
