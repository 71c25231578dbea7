package dev.weir.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.SampleRuns;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransferTablesTest {
  @Test
  void phasesOfAllTasksAreAddedAndTheWidestIsApart() {
    RecordedRun run =
        SampleRuns.of(
            SampleRuns.of(new PlannedRun("degrees", "shared", 1), 5),
            List.of(task("mConcatFit", 3, 4), task("mAdd", 2, 9)));

    assertThat(TransferTables.markdown(Map.of("degrees", List.of(run))))
        .contains("| degrees | shared | 13.00 | 2.00 | 6.00 | 4.00 (mConcatFit) |\n");
  }

  /** Returns a task that stages its inputs in for some seconds, runs for 1 s and writes for 3 s. */
  private static TaskRecord task(String type, int inputs, int stageIn) {
    FileRecord input =
        new FileRecord("in", 10, Checksum.UNKNOWN, Map.of(), Map.of(), /* onNode= */ false);
    return TaskRecord.builder(type, type, 1)
        .worker("w1", "n1")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(SampleRuns.BEGIN, SampleRuns.BEGIN)
        .phases(
            new TaskRecord.Phases(
                Duration.ofSeconds(1),
                Duration.ofSeconds(stageIn - 1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3)))
        .files(Collections.nCopies(inputs, input), List.of())
        .build();
  }
}
