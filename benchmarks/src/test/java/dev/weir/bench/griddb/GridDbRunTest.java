package dev.weir.bench.griddb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.griddb.GridDbWorkflow.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real processes: an ApplicationMaster, and PostgreSQL, which as root needs {@code unshare}. */
@Tag("nightly")
class GridDbRunTest {
  private static final double SPEED_UP = 2_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void everyTaskRunsOnAWorkerAndIsRecorded(Shape shape) throws Exception {
    GridDbWorkflow workflow = new GridDbWorkflow(shape, 4, SPEED_UP);

    GridDbRun.Outcome run = GridDbRun.of(workflow, 3, directory.resolve("run"));

    int tasks = workflow.build().tasks().size();
    assertThat(run.tasks()).isEqualTo(tasks);
    assertThat(run.utilisation().commands()).hasSize(tasks);
    assertThat(run.utilisation().whole()).isBetween(0.0, 1.0);
    assertThat(run.database().tasks()).isEqualTo(tasks);
    assertThat(run.database().attempts()).isEqualTo(tasks);
    assertThat(run.master().journalBytes()).isPositive();
  }
}
