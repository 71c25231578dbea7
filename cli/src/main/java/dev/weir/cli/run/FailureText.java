package dev.weir.cli.run;

import dev.weir.workflow.dispatch.RunFailure;
import java.util.stream.Collectors;

/** Why a run failed, for a person. */
public final class FailureText {

  private FailureText() {}

  /** A few lines: what failed, where, and the end of what it said. */
  public static String of(RunFailure failure) {
    StringBuilder text = new StringBuilder();
    if (!failure.byTask()) {
      text.append(failure.cancelled() ? "The run was " : "The run failed: ")
          .append(failure.message());
      failure.stderrTail().lines().forEach(line -> text.append("\n    ").append(line));
      return text.toString();
    }
    text.append("The task '")
        .append(failure.task())
        .append("' failed for good after ")
        .append(failure.attempts())
        .append(failure.attempts() == 1 ? " attempt: " : " attempts: ")
        .append(failure.message())
        .append("\n  command:   ")
        .append(failure.command().stream().map(FailureText::quote).collect(Collectors.joining(" ")))
        .append("\n  exit code: ")
        .append(failure.exitCode() < 0 ? "none, it did not run to its end" : failure.exitCode())
        .append("\n  node:      ")
        .append(failure.node());
    if (!failure.stderrTail().isBlank()) {
      text.append("\n  end of its stderr:");
      failure.stderrTail().lines().forEach(line -> text.append("\n    ").append(line));
    }
    return text.toString();
  }

  /** As one would type it into a shell. */
  private static String quote(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
