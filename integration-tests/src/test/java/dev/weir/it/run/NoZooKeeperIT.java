package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.HdfsFiles;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without ZooKeeper, runs continue without hints and HDFS is stock. */
@Tag("nightly")
class NoZooKeeperIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  NoZooKeeperIT() {
    super("no-zookeeper");
  }

  @AfterEach
  void restartZooKeeper() throws Exception {
    cluster.startDaemon("zookeeper");
    try (HintStore store = HdfsFiles.openHints(cluster)) {
      Rule rule = new Rule(PathPattern.parse("/run-it/nothing"), HintPresets.pipeline());
      long version = store.put(new HintSet("no-zookeeper-it", "it", null, List.of(rule)));
      assertThat(store.awaitApplied(version, HintStore.ROLE_NAMENODE, DEADLINE))
          .as("the NameNode follows the hints again")
          .isTrue();
      store.remove("no-zookeeper-it");
    }
  }

  @Test
  void runsContinueAndHdfsIsStock() throws Exception {
    runs.put("interrupted", ShellWorkflow.inputs());
    marks.open("clean");
    try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "interrupted", 2)) {
      marks.awaitBegun("gen", 1);
      cluster.stopDaemon("zookeeper");
      marks.open("gen");
      assertSucceeded(run, "interrupted");
    }

    Path local = Files.writeString(folder.resolve("file"), "content");
    String target = runs.path("files", "put");
    runs.files().fs().mkdirs(new org.apache.hadoop.fs.Path(runs.path("files", ".")));
    runs.files().shell("n2", List.of("-put", local.toString(), target));
    assertThat(runs.files().shell("n3", List.of("-cat", target))).contains("content");
    assertThat(runs.files().replication(target)).isEqualTo(3);

    runs.put("without", ShellWorkflow.inputs());
    try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "without", 2)) {
      assertSucceeded(run, "without");
      assertThat(run.notes()).anyMatch(note -> note.contains("without hints"));
    }
    assertThat(runs.text("without", "final.txt")).isEqualTo(runs.text("interrupted", "final.txt"));
    assertThat(runs.files().replication(runs.path("without", "raw/r0.dat"))).isEqualTo(3);
  }

  private void assertSucceeded(LiveRun run, String data) throws Exception {
    RunRecord record = run.end();
    assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    assertThat(runs.text(data, "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
  }
}
