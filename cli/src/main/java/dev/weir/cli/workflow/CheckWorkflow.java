package dev.weir.cli.workflow;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Failures;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.text.PrintableText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    description = {
      "Reads workflows as 'weir run' does and reports errors.",
      "They are in " + WorkflowOptions.FORMATS + "."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir workflow check *.json", "", WorkflowCommand.CODES})
final class CheckWorkflow implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private WorkflowOptions options;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The workflow files.")
  private List<Path> files;

  @FunctionalInterface
  interface Reader {
    ImportedWorkflow read(Path file) throws WorkflowException;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    return check(files, file -> options.read(file, err), out, err, Failures.of(spec));
  }

  /**
   * Checks all files, also after one failed.
   *
   * @param failures reports errors of the reader
   */
  static int check(
      List<Path> files, Reader reader, PrintWriter out, PrintWriter err, Failures failures) {
    int code = ExitCode.DONE;
    for (Path file : files) {
      try {
        tell(file, reader.read(file), out);
      } catch (WorkflowException e) {
        err.println(PrintableText.of(String.valueOf(e.getMessage())));
        code = ExitCode.FAILED;
      } catch (RuntimeException | StackOverflowError e) {
        err.println(
            PrintableText.of(
                file
                    + ": Weir itself failed at it, so it is not known whether the workflow is"
                    + " fine; please report this with the file"
                    + (failures.areTraced() ? " and these lines: " : " and what --verbose prints: ")
                    + e));
        failures.trace(e, err);
        code = ExitCode.FAILED;
      }
      err.flush();
    }
    return code;
  }

  private static void tell(Path file, ImportedWorkflow imported, PrintWriter out) {
    Workflow workflow = imported.workflow();
    long commands = workflow.tasks().stream().filter(CheckWorkflow::hasCommand).count();
    int tasks = workflow.tasks().size();
    out.println(
        PrintableText.of(file.toString())
            + ": fine: "
            + counted(tasks, "task")
            + ", "
            + (commands == tasks ? "" : commands + " of them with commands, ")
            + counted(workflow.files().size(), "file")
            + " ("
            + imported.format()
            + ")");
    out.flush();
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static boolean hasCommand(Task task) {
    return !task.command().isEmpty() || task.joinsRegions();
  }
}
