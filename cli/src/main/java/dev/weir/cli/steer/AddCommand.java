package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.workflow.WorkflowOptions;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "add",
    description = {
      "Adds tasks to a live run.",
      "The tasks are in "
          + WorkflowOptions.FORMATS
          + ". Their ids and outputs are new in the run,"
          + " and they may read files that its tasks make. The run ends when they have ended, too."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir add last more.json --upload tiles", "", RunsBase.CODES})
public final class AddCommand extends RunsBase {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(index = "1", paramLabel = "FILE", description = "The workflow with the tasks.")
  private Path file;

  @Option(
      names = "--upload",
      paramLabel = "LOCAL_DIR",
      description = "Local directory from which inputs that HDFS lacks are copied first.")
  private @Nullable Path upload;

  @Mixin private WorkflowOptions reading;

  @Override
  void requireUsable() {
    if (name.isBlank()) {
      throw unusable("RUN is empty: name the run, or write 'last'");
    }
  }

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    Workflow workflow = reading.readToRun(file, spec.commandLine().getErr());
    KnownRun run = runs.find(name);
    SteeringAnswer answer = run.add(workflow, upload, SteerBase.PATIENCE);
    out().println(run.id() + ": " + PrintableText.of(answer.text()));
    return ExitCode.DONE;
  }
}
