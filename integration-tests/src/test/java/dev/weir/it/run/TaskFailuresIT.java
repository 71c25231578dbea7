package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failures of tasks in real containers, on a real HDFS. */
@Tag("nightly")
class TaskFailuresIT extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final String ODD = "a b/it's \"ödd\" name $(x) \\ *.txt";

  private DistributedFileSystem hdfs;

  TaskFailuresIT() {
    super("task-failures");
  }

  @BeforeEach
  void findHdfs() {
    hdfs = (DistributedFileSystem) runs.files().fs();
  }

  @AfterEach
  void leaveSafeMode() throws Exception {
    hdfs.setSafeMode(SafeModeAction.LEAVE);
  }

  private static List<Outcome> outcomes(RunRecord record, String task) {
    return record.tasks().stream()
        .filter(attempt -> attempt.task().equals(task))
        .map(TaskRecord::outcome)
        .toList();
  }

  @Test
  void badCommandsFailAndOthersSucceed() throws Exception {
    Path pid = folder.resolve("lingering");
    Path program = Files.writeString(folder.resolve("not-executable"), "#!/bin/sh\n");
    runs.put("odd", Map.of(ODD, "odd\n".getBytes(StandardCharsets.UTF_8)));
    Workflow workflow =
        new ShellWorkflow("misbehaving")
            .task(
                "odd",
                "cat './" + ODD.replace("'", "'\\''") + "' > 'ö ut'",
                List.of(ODD),
                List.of("ö ut"))
            .task(
                "lingering",
                "sleep 1000 & echo $! > '" + pid + "'; echo > lingering.txt",
                List.of(),
                List.of("lingering.txt"))
            .task("missing", "true", List.of(), List.of("missing.txt"))
            .task(
                "outside", "echo > outside.txt; echo > ../stray", List.of(), List.of("outside.txt"))
            .task("plain", "exec '" + program + "'", List.of(), List.of("plain.txt"))
            .build();
    RunOptions keepGoing = RunOptions.DEFAULT.withKeepGoing(true);
    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "odd", 2, keepGoing)) {
      RunRecord record = run.end();

      assertThat(record.state()).isEqualTo(RunState.FAILED);
      assertThat(outcomes(record, "odd")).as(run.failure()).containsExactly(Outcome.SUCCEEDED);
      assertThat(runs.text("odd", "ö ut")).isEqualTo("odd\n");
      assertThat(outcomes(record, "lingering")).containsExactly(Outcome.SUCCEEDED);
      long lingering = Long.parseLong(Files.readString(pid).strip());
      await("end of the background process").until(() -> Processes.hasEnded(lingering));
      for (String bad : List.of("missing", "outside", "plain")) {
        assertThat(outcomes(record, bad)).as(bad).hasSize(3).containsOnly(Outcome.FAILED);
      }
      assertThat(record.tasks())
          .filteredOn(task -> task.task().equals("plain"))
          .allMatch(task -> task.exitCode() == 126);
      assertThat(hdfs.exists(new org.apache.hadoop.fs.Path(runs.path("odd", "outside.txt"))))
          .isFalse();
    }
  }

  @Test
  void anExceededQuotaEndsTheRunWithARemedy() throws Exception {
    org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path(runs.path("quota", "."));
    hdfs.mkdirs(data);
    hdfs.setQuota(data, HdfsConstants.QUOTA_DONT_SET, 1_000_000);
    Workflow workflow =
        new ShellWorkflow("quota")
            .task("big", "echo > big.dat", List.of(), List.of("big.dat"))
            .build();

    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "quota", 2)) {
      RunRecord record = run.end();

      assertThat(record.state()).isEqualTo(RunState.FAILED);
      assertThat(outcomes(record, "big")).as("attempts; other nodes are not tried").hasSize(1);
      assertThat(run.failure()).contains("big.dat", "-clrSpaceQuota");
    }
  }

  @Test
  void safeModeDuringARunDelaysIt() throws Exception {
    Workflow workflow =
        new ShellWorkflow("safe")
            .task(
                "first",
                marks.recordBegin()
                    + marks.waitFor("go")
                    + "echo 1 > f; touch '"
                    + folder
                    + "/over'",
                List.of(),
                List.of("f"))
            .task("second", "cat f f > g", List.of("f"), List.of("g"))
            .build();
    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "safe", 1)) {
      marks.awaitBegun("first", 1);
      hdfs.setSafeMode(SafeModeAction.ENTER);
      marks.open("go");
      await("end of the command")
          .atMost(DEADLINE)
          .until(() -> Files.exists(folder.resolve("over")));
      // The ApplicationMaster notices safe mode because it cannot write the status.
      await("seconds in safe mode")
          .pollDelay(Duration.ofSeconds(3))
          .atMost(DEADLINE)
          .until(() -> hdfs.isInSafeMode());
      hdfs.setSafeMode(SafeModeAction.LEAVE);
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(record.tasks()).extracting(TaskRecord::attempt).containsOnly(1);
      assertThat(runs.text("safe", "g")).isEqualTo("1\n1\n");
    }
  }
}
