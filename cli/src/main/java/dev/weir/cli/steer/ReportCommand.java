package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.run.RunOutput;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir report}. */
@Command(
    name = "report",
    description = {
      "Writes the record and the report of a run. For a live run they have the attempts that have ended.",
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

  @Option(
      names = "--force",
      description = "Replace the report of another run there; else it is renamed.")
  private boolean force;

  /** For picocli. */
  public ReportCommand() {}

  @Override
  int run(Runs runs) throws IOException {
    KnownRun run = runs.find(name);
    Optional<RunRecord> ended = run.record();
    RunRecord record = ended.isPresent() ? ended.get() : run.recordSoFar();
    out().println("Report: " + RunOutput.write(record, run.view().failure(), out, force));
    return ExitCode.DONE;
  }
}
