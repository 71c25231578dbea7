package dev.weir.cli.run;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.text.PrintableText;
import java.util.stream.Collectors;

/** Formats the failure of a run for the terminal. */
public final class FailureText {

  private FailureText() {}

  /**
   * Returns the task, the command, the node, the end of the output and commands that show more.
   *
   * @param run id of the run
   */
  public static String of(RunFailure failure, String run) {
    StringBuilder text = new StringBuilder();
    if (!failure.byTask()) {
      text.append(failure.cancelled() ? "The run was " : "The run failed: ")
          .append(message(failure));
      said(text, failure);
      return text.toString();
    }
    text.append("The task '").append(PrintableText.of(failure.task()));
    if (failure.node().isEmpty()) {
      // No worker runs a task that stands for a workflow.
      return text.append("' failed: ").append(message(failure)).toString();
    }
    text.append("' failed permanently after ")
        .append(failure.attempts())
        .append(failure.attempts() == 1 ? " attempt: " : " attempts: ")
        .append(message(failure))
        .append("\n  command:   ")
        .append(command(failure))
        .append("\n  exit code: ")
        .append(failure.exitCode() < 0 ? "none, it did not run to its end" : failure.exitCode())
        .append("\n  node:      ")
        .append(failure.node());
    if (!failure.outputTail().isBlank()) {
      text.append("\n  end of its output:");
      said(text, failure);
    }
    return text.append(further(run, failure.task())).toString();
  }

  private static String further(String run, String task) {
    String subject = run + " " + PrintableText.of(ShellCommand.quote(task));
    return "\n  look further:"
        + ("\n    weir logs " + subject + "   prints more of its output")
        + ("\n    weir shell " + subject + "   makes its sandbox here, to try the command")
        + ("\n    weir retry " + run + "   runs what is missing, once the cause is removed");
  }

  private static void said(StringBuilder text, RunFailure failure) {
    failure
        .outputTail()
        .lines()
        .forEach(line -> text.append("\n    ").append(PrintableText.printed(line)));
  }

  private static String message(RunFailure failure) {
    return failure.message().lines().map(PrintableText::of).collect(Collectors.joining("\n"));
  }

  private static String command(RunFailure failure) {
    return PrintableText.of(
        failure.command().stream().map(ShellCommand::quote).collect(Collectors.joining(" ")));
  }
}
