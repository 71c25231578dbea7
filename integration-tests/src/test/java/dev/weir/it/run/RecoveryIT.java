package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Recovery from a lost worker or node during a run. {@link RunsInSessionIT} has that of an
 * ApplicationMaster.
 */
class RecoveryIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  RecoveryIT() {
    super("recovery");
  }

  @BeforeEach
  void putInputs() throws Exception {
    runs.put("data", ShellWorkflow.inputs());
  }

  @Tag("nightly")
  @Test
  void aKilledWorkerIsReplacedAndItsTaskRetried() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "data", 2)) {
      marks.awaitBegun("clean", 2);
      Marks.Begun victim = marks.begun("clean").get(0);
      ProcessHandle worker = Processes.ancestor(victim.pid(), Processes.WORKER);

      worker.destroyForcibly();

      await("end of the worker's command")
          .atMost(DEADLINE)
          .until(() -> Processes.hasEnded(victim.pid()));
      // The other worker is busy, so only a replacement can begin a third task.
      marks.awaitBegun("clean", 3);
      marks.open("clean");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(attempts(record, victim.task()))
          .extracting(TaskRecord::outcome)
          .as("once more if the replacement is on another node, because the input was on this one")
          .startsWith(Outcome.LOST)
          .endsWith(Outcome.SUCCEEDED)
          .containsOnly(Outcome.LOST, Outcome.SUCCEEDED);
      assertThat(record.workers()).hasSize(3);
      assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    }
  }

  @Test
  void filesLostWithANodeAreRecomputed() throws Exception {
    try (LiveRun run =
        runs.start(
            ShellWorkflow.held(marks),
            Mode.WEIR,
            "data",
            ShellWorkflow.WIDTH,
            RunOptions.DEFAULT.with(IntermediateStore.HDFS))) {
      marks.awaitBegun("gen", ShellWorkflow.WIDTH);
      marks.open("gen");
      marks.awaitBegun("hold", 1);
      String lost = runs.path("data", "raw/r0.dat");
      int number = 0;
      while (busyNodes(run).contains(onlyHost(lost))) {
        number++;
        lost = runs.path("data", "raw/r" + number + ".dat");
      }
      String node = onlyHost(lost);

      cluster.stopNode(node);
      try {
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(attempts(record, "gen" + number))
            .as("gen" + number + ", whose file was on " + node)
            .extracting(TaskRecord::outcome)
            .containsExactly(Outcome.SUCCEEDED, Outcome.SUCCEEDED);
        assertThat(marks.begun("gen")).hasSize(ShellWorkflow.WIDTH + 1);
        assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
      } finally {
        cluster.startNode(node);
      }
    }
  }
}
