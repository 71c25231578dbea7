package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static dev.weir.workflow.scheduler.WaitingRun.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whether a task waits for a busy node while its input is being copied to a free one. */
class ComingCopiesTest {

  /** n1 has the large file and is busy for 24 s, n2 for 20 s. */
  private static WaitingRun run() {
    return new WaitingRun()
        .file("one", SMALL, "n1")
        .file("far", SMALL, "n2")
        .file("two", LARGE, "n1")
        .task("run", 24, "one")
        .task("make", 20, "far");
  }

  /** After 16 s, its copy to n2 starts. */
  private static WaitingRun copying(int nodes, WaitingRun run) {
    run.begin(nodes, WaitingRun.ONE_AHEAD).dispatcher().caches().copyAhead(true);
    assertThat(run.at(16).tick().effects()).containsExactly(new Effect.Copy("n2", 1, "two", "n1"));
    return run;
  }

  private static WaitingRun copyingForTheNext() {
    return copying(2, run().task("next", 1, "two", "make"));
  }

  @Test
  void copiedBytesAreNotMissing() {
    WaitingRun run = copyingForTheNext();

    run.at(22).ended("make");

    assertThat(run.nodeOf("next")).as("4 s over the link, 5.5 s to wait").isEqualTo("n2");
  }

  @Test
  void aStartingCopyLeavesTheRestMissing() {
    WaitingRun run = copyingForTheNext();

    run.at(17).ended("make");

    assertThat(run.nodeOf("next")).as("9 s over the link, 7 s to wait").isEqualTo("n1");
  }

  @Test
  void aPausedCopyBringsNoBytes() {
    WaitingRun run =
        copying(
            3,
            run()
                .file("there", SMALL, "n3")
                .file("third", LARGE * 6 / 10, "n1")
                .task("tiny", 21, "there")
                .task("pull", 1, "third", "tiny")
                .task("next", 1, "two", "make"));

    assertThat(run.at(16.5).ended("tiny").effects()).contains(new Effect.Pace("n2", 1, true));
    assertThat(run.nodeOf("pull")).isEqualTo("n3");
    run.at(22).ended("make");

    assertThat(run.nodeOf("next")).as("10 s over the link, 5.5 s to wait").isEqualTo("n1");
  }

  @Test
  void copiesBringNoRegions() {
    WaitingRun run =
        copying(
            3,
            run()
                .file("there", SMALL, "n3")
                .task("other", 20, "there")
                .task("part", 1, "two@0+" + LARGE, "make")
                .task("next", 1, "two", "make", "other"));

    run.at(22).ended("make");

    assertThat(run.nodeOf("part")).isEqualTo("n1");
  }
}
