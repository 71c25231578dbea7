package dev.weir.workflow.scheduler.api;

import java.util.List;

/**
 * The reason why a run failed.
 *
 * @param task id of the task that failed permanently; empty when no task is the reason
 * @param attempts how many attempts at it failed or were lost
 * @param exitCode exit code of the last attempt; -1 when the command did not run to its end
 * @param node host name of the node of the last attempt
 * @param message the reason, in one line
 * @param outputTail the end of what the last attempt printed; when no task is the reason, details
 *     of the reason
 * @param cancelled whether a user cancelled the run
 * @param givenUp all tasks that were not done, when the run kept going
 */
public record RunFailure(
    String task,
    int attempts,
    List<String> command,
    int exitCode,
    String node,
    String message,
    String outputTail,
    boolean cancelled,
    GivenUp givenUp) {

  public RunFailure {
    command = List.copyOf(command);
  }

  /** The permanent failure of a task. */
  public RunFailure(
      String task,
      int attempts,
      List<String> command,
      int exitCode,
      String node,
      String message,
      String outputTail) {
    this(task, attempts, command, exitCode, node, message, outputTail, false, GivenUp.NONE);
  }

  /**
   * The failure with the tasks that were not done.
   *
   * @param all the tasks that were not done
   */
  public RunFailure with(GivenUp all) {
    return new RunFailure(
        task, attempts, command, exitCode, node, message, outputTail, cancelled, all);
  }

  /**
   * The end of a run that a user cancelled.
   *
   * @return the value that stands for a failure
   */
  public static RunFailure cancelledRun() {
    return new RunFailure(
        "", 0, List.of(), -1, "", "cancelled by its owner", "", true, GivenUp.NONE);
  }

  /**
   * A failure whose reason is not a task.
   *
   * @param message the reason, in one line
   * @param details details of the reason, in lines
   */
  public static RunFailure ofRun(String message, String details) {
    return new RunFailure("", 0, List.of(), -1, "", message, details);
  }

  public boolean byTask() {
    return !task.isEmpty();
  }

  /** The reason, with the task if there is one. */
  public String inOneLine() {
    return byTask() ? "Task " + task + ": " + message : message;
  }
}
