package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.ReusedTask;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.Mode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run reuses finished tasks of earlier runs if their files exist unchanged. */
@Tag("nightly")
class ReuseIT extends MarkedRuns {
  private static final String DATA = "data";

  ReuseIT() {
    super("reuse");
  }

  @BeforeEach
  void putInputs() throws Exception {
    runs.put(DATA, ShellWorkflow.inputs());
    marks.open("gen");
    marks.open("clean");
  }

  private RunRecord run(Workflow workflow, String rerun) throws Exception {
    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, DATA, 2, rerun)) {
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return record;
    }
  }

  @Test
  void onlyTasksWithMissingOrChangedFilesRunAgain() throws Exception {
    Workflow workflow = ShellWorkflow.lines(marks);
    RunRecord first = run(workflow, "none");
    assertThat(first.reused()).isEmpty();
    String result = runs.text(DATA, "final.txt");

    RunRecord second = run(workflow, "none");
    assertThat(ran(second)).isEmpty();
    assertThat(second.reused()).hasSize(workflow.tasks().size());
    assertThat(second.reused()).extracting(ReusedTask::run).containsOnly(first.runId());

    // A deleted result, then a changed input.
    runs.files().fs().delete(new org.apache.hadoop.fs.Path(runs.path(DATA, "final.txt")), false);
    assertThat(ran(run(workflow, "none"))).containsExactly("all");
    assertThat(runs.text(DATA, "final.txt")).isEqualTo(result);
    runs.put(DATA, Map.of("in/i2.dat", "other".getBytes(StandardCharsets.UTF_8)));
    assertThat(ran(run(workflow, "none")))
        .containsExactlyInAnyOrder("gen2", "clean2", "sum2", "all");
    assertThat(runs.text(DATA, "final.txt")).isNotEqualTo(result);

    assertThat(ran(run(workflow, "clean1"))).containsExactlyInAnyOrder("clean1", "sum1", "all");
    assertThat(ran(run(workflow, "all"))).hasSize(workflow.tasks().size());
  }

  @Test
  void finishedTasksOfAKilledRunAreReused() throws Exception {
    Workflow workflow = ShellWorkflow.held(marks);
    String killed;
    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, DATA, 2, "none")) {
      killed = run.id();
      marks.awaitBegun("hold", 1);
    }
    marks.open("hold");

    RunRecord second = run(workflow, "none");

    assertThat(second.reused())
        .extracting(ReusedTask::task)
        .containsExactlyInAnyOrder("gen0", "gen1", "gen2", "gen3");
    assertThat(second.reused()).extracting(ReusedTask::run).containsOnly(killed);
  }

  @Test
  void recordedChecksumsEqualThoseOfHdfs() throws Exception {
    Workflow workflow =
        new ShellWorkflow("sums")
            .task(
                "grow",
                "for i in 1 2 3 4 5 6; do cat in/i0.dat in/i1.dat in/i2.dat; done > large; : > empty",
                List.of("in/i0.dat", "in/i1.dat", "in/i2.dat"),
                List.of("large", "empty"))
            .build();
    RunRecord record = run(workflow, "all");

    TaskRecord.Files files = record.tasks().get(0).files();
    assertThat(files.inputs()).hasSize(3).allMatch(FileRecord::isSummed);
    assertThat(files.outputs()).extracting(FileRecord::bytes).containsExactly(1_800_000L, 0L);
    Configuration conf = new Configuration(cluster.configuration());
    conf.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      for (FileRecord file : files.inputs()) {
        assertThat(Checksum.toHex(file.crc32c())).as(file.file()).isEqualTo(sum(fs, file));
      }
      assertThat(Checksum.toHex(files.outputs().get(0).crc32c()))
          .isEqualTo(sum(fs, files.outputs().get(0)));
    }
    assertThat(files.outputs().get(1).crc32c()).isZero();
  }

  private String sum(FileSystem fs, FileRecord file) throws Exception {
    FileChecksum sum =
        fs.getFileChecksum(new org.apache.hadoop.fs.Path(runs.path(DATA, file.file())));
    assertThat(sum.getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
    return String.format("%08x", ByteBuffer.wrap(sum.getBytes()).getInt());
  }
}
