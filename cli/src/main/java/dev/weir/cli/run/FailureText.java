package dev.weir.cli.run;

import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.text.PrintableText;
import java.util.stream.Collectors;

/** Formats the failure of a run for the terminal. */
public final class FailureText {

  private FailureText() {}

  /** Returns the task, the command, the node and the end of the error output. */
  public static String of(RunFailure failure) {
    StringBuilder text = new StringBuilder();
    if (!failure.byTask()) {
      text.append(failure.cancelled() ? "The run was " : "The run failed: ")
          .append(message(failure));
      said(text, failure);
      return text.toString();
    }
    text.append("The task '")
        .append(PrintableText.of(failure.task()))
        .append("' failed permanently after ")
        .append(failure.attempts())
        .append(failure.attempts() == 1 ? " attempt: " : " attempts: ")
        .append(message(failure))
        .append("\n  command:   ")
        .append(command(failure))
        .append("\n  exit code: ")
        .append(failure.exitCode() < 0 ? "none, it did not run to its end" : failure.exitCode())
        .append("\n  node:      ")
        .append(failure.node());
    if (!failure.stderrTail().isBlank()) {
      text.append("\n  end of its stderr:");
      said(text, failure);
    }
    return text.toString();
  }

  private static void said(StringBuilder text, RunFailure failure) {
    failure
        .stderrTail()
        .lines()
        .forEach(line -> text.append("\n    ").append(PrintableText.printed(line)));
  }

  private static String message(RunFailure failure) {
    return failure.message().lines().map(PrintableText::of).collect(Collectors.joining("\n"));
  }

  private static String command(RunFailure failure) {
    return PrintableText.of(
        failure.command().stream().map(FailureText::quote).collect(Collectors.joining(" ")));
  }

  /** Quotes a word for a shell. */
  private static String quote(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
