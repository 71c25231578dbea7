package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Intermediate files are deleted during a run, and no result is lost. */
@Tag("nightly")
class IntermediateFilesIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String DATA = "data";
  private static final RunOptions OPTIONS =
      RunOptions.DEFAULT
          .withRerun("none")
          .withKeep(RetentionPolicy.NONE)
          .with(IntermediateStore.HDFS);

  IntermediateFilesIT() {
    super("intermediate-files");
  }

  @BeforeEach
  void putInputs() throws Exception {
    runs.put(DATA, ShellWorkflow.inputs());
  }

  private boolean exists(String file) throws Exception {
    return runs.files().fs().exists(new org.apache.hadoop.fs.Path(runs.path(DATA, file)));
  }

  private RunRecord run(Workflow workflow, RunOptions choices) throws Exception {
    try (LiveRun run = runs.start(workflow, Mode.WEIR, DATA, 2, choices)) {
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return record;
    }
  }

  @Test
  void intermediateFilesAreDeletedAndNotNeededByTheNextRun() throws Exception {
    marks.open("gen");
    marks.open("clean");
    Workflow workflow = ShellWorkflow.lines(marks);

    RunRecord first = run(workflow, OPTIONS.withKeep("sum/s1*"));

    assertThat(first.tidied().files()).isEqualTo(3 * ShellWorkflow.WIDTH - 1);
    assertThat(first.tidied().bytes()).isGreaterThan(2L * ShellWorkflow.WIDTH * 190_000);
    assertThat(first.tidied().left()).isZero();
    for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
      assertThat(exists("in/i" + i + ".dat")).as("input").isTrue();
      assertThat(exists("raw/r" + i + ".dat")).isFalse();
      assertThat(exists("clean/c" + i + ".dat")).isFalse();
      assertThat(exists("sum/s" + i + ".txt")).isEqualTo(i == 1);
    }
    String result = runs.text(DATA, "final.txt");

    RunRecord second = run(workflow, OPTIONS);
    assertThat(ran(second)).isEmpty();
    assertThat(second.reused()).hasSize(workflow.tasks().size());
    assertThat(second.tidied()).as("deleted files").isEqualTo(DeletedFiles.NOTHING);
    assertThat(exists("sum/s1.txt")).as("a file of an earlier run").isTrue();

    // A new reader of one of the sums needs the chain that leads to it.
    Workflow more =
        ShellWorkflow.from(workflow, "more")
            .task(
                "more", "wc -c < sum/s2.txt > more.txt", List.of("sum/s2.txt"), List.of("more.txt"))
            .build();
    RunRecord third = run(more, OPTIONS);
    assertThat(ran(third)).containsExactlyInAnyOrder("gen2", "clean2", "sum2", "more");
    assertThat(exists("sum/s2.txt")).isFalse();
    assertThat(runs.text(DATA, "final.txt")).isEqualTo(result);
  }

  @Test
  void aLostFileIsRecomputedAfterItsInputsWereDeleted() throws Exception {
    Workflow workflow = ShellWorkflow.deep(marks);
    try (LiveRun run = runs.start(workflow, Mode.WEIR, DATA, ShellWorkflow.WIDTH, OPTIONS)) {
      marks.awaitBegun("fin", ShellWorkflow.WIDTH);
      marks.open("gen");
      marks.awaitBegun("hold", 1);
      await("deletion of intermediate files")
          .atMost(DEADLINE)
          .untilAsserted(
              () -> {
                for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
                  assertThat(exists("raw/r" + i + ".dat")).isFalse();
                  assertThat(exists("mid/m" + i + ".dat")).isFalse();
                  assertThat(exists("fin/f" + i + ".dat")).isTrue();
                }
              });
      Set<String> busy = busyNodes(run);
      int number = 0;
      while (busy.contains(onlyHost(runs.path(DATA, "fin/f" + number + ".dat")))) {
        number++;
      }
      String node = onlyHost(runs.path(DATA, "fin/f" + number + ".dat"));

      cluster.stopNode(node);
      try {
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        for (String task : List.of("gen", "mid", "fin")) {
          assertThat(attempts(record, task + number))
              .as(task + number + ", whose last file was on " + node)
              .filteredOn(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
              .hasSize(2);
        }
        assertThat(runs.text(DATA, "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
        assertThat(exists("raw/r" + number + ".dat")).as("the recomputed file").isFalse();
      } finally {
        cluster.startNode(node);
      }
    }
  }

  @Test
  void aSecondApplicationMasterKnowsDeletedFiles() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(ShellWorkflow.deep(marks), Mode.WEIR, DATA, 2, OPTIONS)) {
      marks.awaitBegun("hold", 1);
      await("deletion of intermediate files")
          .atMost(DEADLINE)
          .until(() -> !exists("raw/r0.dat") && !exists("mid/m0.dat") && exists("fin/f0.dat"));

      Processes.containing(Processes.MASTER, run.id()).destroyForcibly();

      marks.open("hold");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      for (String task : List.of("gen", "mid", "fin")) {
        assertThat(marks.begun(task)).as(task).hasSize(ShellWorkflow.WIDTH);
      }
      assertThat(exists("fin/f0.dat")).isFalse();
      assertThat(runs.text(DATA, "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    }
  }
}
