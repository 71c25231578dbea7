package dev.weir.workflow.dispatch;

import static dev.weir.workflow.dispatch.WaitingRun.LARGE;
import static dev.weir.workflow.dispatch.WaitingRun.ONE_AHEAD;
import static dev.weir.workflow.dispatch.WaitingRun.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a task that a worker has ahead is begun by another before what is ready. */
class OvertakerTest {

  /**
   * n1 runs one task and has a long way ahead; when the first one on n2 has ended another is ready
   * that nothing waits for.
   *
   * @param busySeconds how long n1 runs what it runs
   * @param bytes of the input of the one that it has ahead
   * @param waySeconds how long what waits for that one takes
   */
  private static WaitingRun run(
      double busySeconds, long bytes, double waySeconds, WorkerSize size, Policy policy) {
    return new WaitingRun()
        .file("one", 2 * LARGE, "n1")
        .file("two", bytes, "n1")
        .file("far", SMALL, "n2")
        .task("run", busySeconds, "one")
        .task("afterwards", 90, "one", "run", "first")
        .task("long", 1, "two")
        .task("tail", waySeconds, "two", "long")
        .task("first", 9, "far")
        .task("little", 1, "far", "first")
        .begin(2, size, policy);
  }

  private static WaitingRun run(double busySeconds, long bytes, double waySeconds) {
    WaitingRun run = run(busySeconds, bytes, waySeconds, ONE_AHEAD, Policy.DATA_AWARE);
    assertThat(run.nodeOf("run")).isEqualTo("n1");
    assertThat(run.nodeOf("first")).isEqualTo("n2");
    assertThat(run.nodeOf("long")).isEqualTo("n1");
    return run;
  }

  /** It is asked back, and n2 has nothing. */
  private static WaitingRun asked() {
    WaitingRun run = run(3, SMALL, 20);
    assertThat(run.ended("first").effects()).containsExactly(run.recall("long"));
    return run;
  }

  private static void beginsOn(WaitingRun run, String node, Step step, String task) {
    assertThat(Starts.starts(step)).extracting(Effect.Start::task).contains(task);
    assertThat(run.nodeOf(task)).isEqualTo(node);
    assertThat(run.dispatcher().progress().running()).contains(task);
  }

  @Test
  void aLongerWayIsBegunBeforeWhatIsReady() {
    WaitingRun run = asked();

    beginsOn(run, "n2", run.givenBack("long"), "long");

    assertThat(run.nodeOf("little")).isIn("n1", "n2");
    assertThat(run.dispatcher().progress().running()).containsExactlyInAnyOrder("run", "long");
  }

  @Test
  void onlyWhereItsWayIsLongerByAsMuchAsTheOtherTakes() {
    WaitingRun run = run(3, SMALL, 0.5);

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void onlyWhereItWouldWaitForMuchLongerThanItsBytesTake() {
    WaitingRun tenSeconds = run(30, LARGE, 20);
    beginsOn(tenSeconds, "n2", tenSeconds.ended("first"), "little");

    WaitingRun longer = run(60, LARGE, 20);
    assertThat(longer.ended("first").effects()).containsExactly(longer.recall("long"));
  }

  @Test
  void notWhereItWillBeginAtOnce() {
    WaitingRun run = run(0.1, 0, 20);

    beginsOn(run, "n2", run.ended("first"), "little");
  }

  @Test
  void whereItHasBegunMeanwhileTheOtherIsGiven() {
    WaitingRun run = asked();

    beginsOn(run, "n2", run.ended("run"), "little");
    assertThat(run.nodeOf("long")).isEqualTo("n1");
  }

  @Test
  void aHolderThatDoesNotAnswerIsWaitedForASecond() {
    WaitingRun run = asked();

    assertThat(run.at(0.9).tick().effects()).isEmpty();
    beginsOn(run, "n2", run.at(1).tick(), "little");
  }

  @Test
  void whatALostHolderHadAheadGoesToWhoWaitsForIt() {
    WaitingRun run = asked();

    Step step = run.note(run.dispatcher().workerLost("n1", "gone", WaitingRun.NOW));

    beginsOn(run, "n2", step, "long");
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsReadyLikeOthers() {
    WaitingRun run = asked();
    run.note(run.dispatcher().workerLost("n2", "gone", WaitingRun.NOW));

    run.givenBack("long");

    assertThat(run.nodeOf("long")).isEqualTo("n1");
    assertThat(run.dispatcher().progress().running()).containsExactly("run");
  }

  @Test
  void notWhereTheOldestTaskGoesFirst() {
    WaitingRun run = run(3, SMALL, 20, ONE_AHEAD, Policy.FIFO);

    assertThat(run.ended("first").effects())
        .noneMatch(Effect.Recall.class::isInstance)
        .anyMatch(Effect.Start.class::isInstance);
  }

  @Test
  void priorityComesBeforeTheWay() {
    WaitingRun run = run(3, SMALL, 20);
    run.steered(new Steering(Steering.Action.PRIORITISE, "little", 1));

    beginsOn(run, "n2", run.ended("first"), "little");
  }
}
