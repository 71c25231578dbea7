package dev.weir.cli.workflow;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "convert",
    description = {
      "Writes a workflow in WfFormat 1.6.",
      "It reads " + WorkflowOptions.FORMATS + "."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir workflow convert diamond.mf -o diamond.json",
      "",
      WorkflowCommand.CODES
    })
final class ConvertWorkflow implements Callable<Integer> {
  private static final String WFFORMAT = "wfformat";

  @Spec private CommandSpec spec;
  @Mixin private WorkflowOptions options;

  @Parameters(paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      defaultValue = WFFORMAT,
      description = "Format to write; only ${DEFAULT-VALUE} is supported.")
  private String to;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File to write, replaced if it exists (default: standard output).")
  private @Nullable Path output;

  @Override
  public Integer call() throws IOException {
    if (!to.equals(WFFORMAT)) {
      throw new ParameterException(
          spec.commandLine(), "--to " + to + " cannot be written; leave it out for " + WFFORMAT);
    }
    Workflow workflow = options.read(file, spec.commandLine().getErr()).workflow();
    if (output == null) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(WfFormatWriter.toJson(workflow));
      out.flush();
    } else {
      WfFormatWriter.write(workflow, output);
    }
    return ExitCode.DONE;
  }
}
