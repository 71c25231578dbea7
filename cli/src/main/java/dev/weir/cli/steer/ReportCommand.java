package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.RunOutput;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir report}. */
@Command(
    name = "report",
    description = {
      "Writes the record and the report of a run that has ended.",
      "The jobs of a session that has ended are a run with the id of the session."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir report last --out montage-report", "", RunsBase.CODES})
public final class ReportCommand extends RunsBase {
  @Parameters(paramLabel = "RUN", description = RUN)
  private String name;

  @Option(
      names = "--out",
      paramLabel = "LOCAL_DIR",
      defaultValue = "weir-out",
      description = "Where run.json and report.html go (default: ${DEFAULT-VALUE}).")
  private Path out;

  /** For picocli. */
  public ReportCommand() {}

  @Override
  int run(Runs runs) throws IOException {
    KnownRun run = runs.find(name);
    RunRecord record =
        run.record()
            .orElseThrow(
                () ->
                    new SteeringException(
                        Kind.NOT_FOUND, "The run " + run.id() + " has left no record so far"));
    out().println("Report: " + RunOutput.write(record, out));
    return ExitCode.DONE;
  }
}
