package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The line at the end of a run. */
class ClosingLineTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static TaskRecord attempt(String task, int number, Outcome outcome, String... outputs) {
    return TaskRecord.builder(task, "t", number)
        .worker("w", "n")
        .outcome(outcome, 0)
        .times(START, START)
        .files(
            List.of(),
            List.of(outputs).stream().map(file -> new FileRecord(file, 2_000_000, 0)).toList())
        .build();
  }

  private static RunRecord run(TaskRecord... attempts) {
    return new RunRecord(
        "run",
        "w",
        "weir",
        RunState.SUCCEEDED,
        START,
        START.plusSeconds(2),
        List.of(),
        List.of(attempts));
  }

  @Test
  void deletedFilesAreCounted() {
    RunRecord run = run(attempt("a", 1, Outcome.SUCCEEDED, "x"));
    assertThat(ClosingLine.of(run)).isEqualTo("SUCCEEDED in 2.0 s");
    assertThat(ClosingLine.of(run.with(new DeletedFiles(3, 1_000_000, 1))))
        .endsWith(", 3 intermediate files (1.0 MB) deleted, 1 could not be");
  }

  @Test
  void bytesThatWereReadAreShownInTheirUnit() {
    TaskRecord read =
        TaskRecord.builder("a", "t", 1)
            .worker("w", "n")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(START, START)
            .traffic(new TaskRecord.Traffic(300, 900, 0, 0))
            .build();
    assertThat(ClosingLine.of(run(read)))
        .isEqualTo("SUCCEEDED in 2.0 s, 25% of 1.2 kB read locally");
  }
}
