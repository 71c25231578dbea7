package dev.weir.workflow.dispatch;

import java.util.List;

/**
 * Why a run failed.
 *
 * @param task id of the task that failed for good
 * @param attempts how many attempts at it failed or were lost
 * @param command its program and arguments
 * @param exitCode exit code of the last attempt; -1 when the command did not run to its end
 * @param node host name of the node of the last attempt
 * @param message what went wrong, in one line
 * @param stderrTail the end of what the last attempt wrote to stderr
 */
public record RunFailure(
    String task,
    int attempts,
    List<String> command,
    int exitCode,
    String node,
    String message,
    String stderrTail) {

  /** Copies. */
  public RunFailure {
    command = List.copyOf(command);
  }
}
