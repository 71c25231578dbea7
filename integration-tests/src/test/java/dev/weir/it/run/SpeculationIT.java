package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A second attempt of a straggler runs on another node. */
@Tag("nightly")
class SpeculationIT extends MarkedRuns {

  private static final int QUICK = 4;
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  SpeculationIT() {
    super("speculation");
  }

  @Test
  void theSecondAttemptOfAStragglerSucceedsAndTheFirstIsStopped() throws Exception {
    ShellWorkflow workflow = new ShellWorkflow("stragglers");
    for (int i = 0; i < QUICK; i++) {
      workflow.task("work" + i, "echo " + i + " > f" + i, List.of(), List.of("f" + i));
    }
    // The first attempt never ends; both outputs must be those of the second.
    workflow.task(
        "work" + QUICK,
        "echo $WEIR_ATTEMPT > a; [ $WEIR_ATTEMPT != 1 ] || { "
            + marks.recordBegin()
            + marks.waitFor("never")
            + "}; echo $WEIR_ATTEMPT > b",
        List.of(),
        List.of("a", "b"));
    try (LiveRun run = runs.start(workflow.build(), Mode.WEIR, "data", 2)) {
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      List<TaskRecord> attempts =
          record.tasks().stream().filter(task -> task.task().equals("work" + QUICK)).toList();
      assertThat(attempts)
          .filteredOn(task -> task.outcome() == Outcome.SUCCEEDED)
          .singleElement()
          .satisfies(task -> assertThat(task.attempt()).isEqualTo(2));
      assertThat(attempts)
          .filteredOn(task -> task.outcome() != Outcome.SUCCEEDED)
          .as("the first attempt, if it was reported before the end")
          .allMatch(task -> task.outcome() == Outcome.CANCELLED && task.attempt() == 1);
      assertThat(runs.text("data", "a")).isEqualTo("2\n");
      assertThat(runs.text("data", "b")).isEqualTo("2\n");
      assertThat(
              runs.files().fs().listStatus(new org.apache.hadoop.fs.Path(runs.path("data", "."))))
          .extracting(file -> file.getPath().getName())
          .as("temporary files")
          .noneMatch(name -> name.contains(".weir-"));
      long slow = marks.begun("work").get(0).pid();
      await("end of the slow command").atMost(DEADLINE).until(() -> Processes.hasEnded(slow));
    }
  }
}
