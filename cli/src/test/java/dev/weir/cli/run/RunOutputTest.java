package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOutputTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;

  private static RunRecord run(String id) {
    return new RunRecord(
        id, "w", "weir", RunState.FAILED, START, START.plusSeconds(2), List.of(), List.of());
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void reportOfAnotherRunIsKept() throws IOException {
    RunOutput.write(List.of(ReportRun.of(run("one"))), null, directory, false);
    RunOutput.write(List.of(ReportRun.of(run("two"))), null, directory, false);
    RunOutput.write(List.of(ReportRun.of(run("two"))), null, directory, false);

    assertThat(names())
        .containsExactly("report-one.html", "report.html", "run-one.json", "run.json");
    assertThat(Files.readString(directory.resolve("run.json"))).contains("\"two\"");
  }

  @Test
  void forceReplacesIt() throws IOException {
    RunOutput.write(List.of(ReportRun.of(run("one"))), null, directory, true);
    RunOutput.write(List.of(ReportRun.of(run("two"))), null, directory, true);

    assertThat(names()).containsExactly("report.html", "run.json");
  }

  @Test
  void reportSaysWhyTheRunFailed() throws IOException {
    RunFailure failure =
        new RunFailure("t", 3, List.of("sh", "-c", "a b"), 1, "n1", "exit code 1", "no such file");

    RunOutput.write(List.of(ReportRun.of(run("one"))), failure, directory, false);

    assertThat(Files.readString(directory.resolve("report.html")))
        .contains("The task 't' failed permanently after 3 attempts", "weir logs one t");
  }
}
