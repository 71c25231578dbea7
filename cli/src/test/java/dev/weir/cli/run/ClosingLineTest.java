package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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
  void keptFilesAreCountedOnce() {
    RunRecord run =
        run(
            attempt("a", 1, Outcome.SUCCEEDED, "x", "y"),
            attempt("a", 2, Outcome.SUCCEEDED, "x", "y"),
            attempt("b", 1, Outcome.FAILED, "z"),
            attempt("c", 1, Outcome.SUCCEEDED, "result"));
    assertThat(ClosingLine.of(run, Set.of("x", "y", "z")))
        .startsWith("SUCCEEDED in 2.0 s, ")
        .endsWith(
            ", 2 intermediate files (4.0 MB) stay; a run with --keep none deletes such files when"
                + " their readers are done");
    assertThat(ClosingLine.of(run, Set.of("x"))).contains(", 1 intermediate file (2.0 MB) stays; ");
  }

  private static Set<String> staying(String... arguments) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("said", new DataFile("said", 1, "temporary"));
    files.put("unsaid", new DataFile("unsaid", 1));
    files.put("wanted", new DataFile("wanted", 1, "keep"));
    files.put("result", new DataFile("result", 1));
    List<String> between = List.of("said", "unsaid", "wanted");
    Task makes = new Task("a", "t", List.of("true"), List.of(), between, 1);
    Task reads = new Task("b", "t", List.of("true"), between, List.of("result"), 1);
    RunCommand command = new RunCommand();
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return command.staying(new Workflow("w", List.of(makes, reads), files));
  }

  @Test
  void keptFilesArePrintedUnlessKeepWasGiven() {
    assertThat(staying("flow.mf")).containsExactly("unsaid");
    assertThat(staying("flow.mf", "--mode", "stock")).containsExactlyInAnyOrder("said", "unsaid");
    assertThat(staying("flow.mf", "--keep", "all")).isEmpty();
    assertThat(staying("flow.mf", "--keep", "unsaid")).isEmpty();
  }

  @Test
  void nothingIsPrintedWithoutKeptFiles() {
    RunRecord run = run(attempt("a", 1, Outcome.SUCCEEDED, "x"));
    assertThat(ClosingLine.of(run, Set.of())).endsWith("read locally");
    assertThat(ClosingLine.of(run.with(new DeletedFiles(3, 1_000_000, 1)), Set.of()))
        .endsWith(", 3 intermediate files (1.0 MB) deleted, 1 could not be");
  }
}
