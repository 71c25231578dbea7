package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One workflow in three modes: the same bytes in different places. */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModesIT {
  /** Hints place only files in HDFS. */
  private static final RunOptions IN_HDFS = RunOptions.DEFAULT.with(IntermediateStore.HDFS);

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final Map<Mode, RunRecord> records = new EnumMap<>(Mode.class);
  private ClusterRuns runs;

  @BeforeAll
  void runInAllModes(LocalCluster cluster, @TempDir Path folder) throws Exception {
    runs = new ClusterRuns(cluster, "modes");
    for (Mode mode : Mode.values()) {
      Marks marks = new Marks(folder.resolve(mode.label()));
      runs.put(mode.label(), ShellWorkflow.inputs());
      marks.open("clean");
      try (LiveRun run =
          runs.start(
              ShellWorkflow.lines(marks), mode, mode.label(), ShellWorkflow.WIDTH, IN_HDFS)) {
        // One task on each node, so that only the mode determines where later tasks run.
        marks.awaitBegun("gen", ShellWorkflow.WIDTH);
        marks.open("gen");
        records.put(mode, run.end());
      }
    }
  }

  @AfterAll
  void clean() throws Exception {
    runs.close();
  }

  @Test
  void allSucceedAtTheFirstAttempt() {
    assertThat(records.keySet()).containsExactly(Mode.values());
    records.forEach(
        (mode, record) -> {
          assertThat(record.state()).as(mode.label()).isEqualTo(RunState.SUCCEEDED);
          assertThat(record.mode()).isEqualTo(mode.label());
          assertThat(record.tasks()).as(mode.label()).hasSize(3 * ShellWorkflow.WIDTH + 1);
          assertThat(record.tasks()).allMatch(task -> task.outcome() == Outcome.SUCCEEDED);
        });
  }

  @Test
  void resultsAreEqualInAllModes() throws Exception {
    String stock = runs.text("stock", "final.txt");

    assertThat(stock.lines()).hasSize(ShellWorkflow.WIDTH).allMatch(line -> line.length() > 64);
    assertThat(runs.text("locality", "final.txt")).isEqualTo(stock);
    assertThat(runs.text("weir", "final.txt")).isEqualTo(stock);
  }

  @Test
  void stockFilesHaveTheReplicationOfTheCluster() throws Exception {
    assertThat(runs.files().replication(runs.path("stock", "raw/r0.dat"))).isEqualTo(3);
    assertThat(runs.files().replication(runs.path("locality", "clean/c0.dat"))).isEqualTo(3);
  }

  @Test
  void aHintedFileForOneReaderStaysWithItsWriterAndReader() throws Exception {
    for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
      String raw = runs.path("weir", "raw/r" + i + ".dat");
      String clean = runs.path("weir", "clean/c" + i + ".dat");
      String node = weir("gen" + i).node();

      assertThat(runs.files().hosts(raw)).as(raw).containsExactly(node);
      assertThat(runs.files().replication(raw)).isEqualTo(1);
      assertThat(weir("clean" + i).node()).isEqualTo(node);
      assertThat(runs.files().hosts(clean)).as(clean).containsExactly(node);
      assertThat(weir("sum" + i).node()).isEqualTo(node);
    }
  }

  @Test
  void hintedFilesAreReadLocally() {
    for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
      for (TaskRecord task : List.of(weir("clean" + i), weir("sum" + i))) {
        assertThat(task.traffic().inputRemote()).as(task.task()).isZero();
        assertThat(task.traffic().inputLocal()).as(task.task()).isEqualTo(200_000);
        assertThat(weir("gen" + i).traffic().outputRemote()).isZero();
      }
    }
  }

  @Test
  void collocatedFilesAreOnOneNodeWithTheirReader() throws Exception {
    List<String> anchor = runs.files().hosts(runs.path("weir", "sum/s0.txt"));

    assertThat(anchor).hasSize(1);
    for (int i = 1; i < ShellWorkflow.WIDTH; i++) {
      assertThat(runs.files().hosts(runs.path("weir", "sum/s" + i + ".txt"))).isEqualTo(anchor);
    }
    assertThat(weir("all").node()).isEqualTo(anchor.get(0));
    assertThat(weir("all").traffic().inputRemote()).isZero();
  }

  @Test
  void theResultHasTheDefaultReplication() {
    String result = runs.path("weir", "final.txt");
    await().atMost(DEADLINE).untilAsserted(() -> assertThat(runs.files().hosts(result)).hasSize(3));
  }

  private TaskRecord weir(String task) {
    RunRecord record = records.get(Mode.WEIR);
    return record.tasks().stream()
        .filter(attempt -> attempt.task().equals(task))
        .findFirst()
        .orElseThrow();
  }
}
