package dev.weir.workflow.scheduler;

import java.util.List;

/**
 * Why a run failed.
 *
 * @param task id of the task that failed for good; empty when it was no task's fault
 * @param attempts how many attempts at it failed or were lost
 * @param command its program and arguments
 * @param exitCode exit code of the last attempt; -1 when the command did not run to its end
 * @param node host name of the node of the last attempt
 * @param message what went wrong, in one line
 * @param stderrTail the end of what the last attempt wrote to stderr; where it was no task's fault,
 *     more about it, in lines
 * @param cancelled whether it was no failure: somebody wanted the run to end
 * @param givenUp all that was not done, where the run went on without it
 */
public record RunFailure(
    String task,
    int attempts,
    List<String> command,
    int exitCode,
    String node,
    String message,
    String stderrTail,
    boolean cancelled,
    GivenUp givenUp) {

  /** Copies. */
  public RunFailure {
    command = List.copyOf(command);
    givenUp = GivenUp.orNone(givenUp);
  }

  /**
   * A task that failed for good.
   *
   * @param task id of the task
   * @param attempts how many attempts at it failed or were lost
   * @param command its program and arguments
   * @param exitCode exit code of the last attempt; -1 when the command did not run to its end
   * @param node host name of the node of the last attempt
   * @param message what went wrong, in one line
   * @param stderrTail the end of what the last attempt wrote to stderr
   */
  public RunFailure(
      String task,
      int attempts,
      List<String> command,
      int exitCode,
      String node,
      String message,
      String stderrTail) {
    this(task, attempts, command, exitCode, node, message, stderrTail, false, GivenUp.NONE);
  }

  /**
   * The same of a run that went on without what was given up.
   *
   * @param all what was not done
   * @return the failure
   */
  public RunFailure with(GivenUp all) {
    return new RunFailure(
        task, attempts, command, exitCode, node, message, stderrTail, cancelled, all);
  }

  /**
   * The end of a run that somebody wanted to end.
   *
   * @return what stands for a failure
   */
  public static RunFailure cancelledRun() {
    return new RunFailure(
        "", 0, List.of(), -1, "", "cancelled by its owner", "", true, GivenUp.NONE);
  }

  /**
   * A failure that is no task's fault.
   *
   * @param message what went wrong, in one line
   * @param details more about it, in lines
   * @return the failure
   */
  public static RunFailure ofRun(String message, String details) {
    return new RunFailure("", 0, List.of(), -1, "", message, details);
  }

  /**
   * Whether a task failed for good, and not the run around it.
   *
   * @return whether
   */
  public boolean byTask() {
    return !task.isEmpty();
  }

  /**
   * What went wrong, with the task that failed if one did.
   *
   * @return one line
   */
  public String inOneLine() {
    return byTask() ? "Task " + task + ": " + message : message;
  }
}
