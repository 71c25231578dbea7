package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.util.concurrent.TimeUnit;

/**
 * Whose fault it is that an attempt did not succeed, and when to stop trying. What a command does
 * is its failure; what befalls it, and what HDFS does to its files, is a loss, of which there may
 * be more. Not thread-safe.
 */
final class FailurePolicy {

  private static final long LONGEST_PAUSE_SECONDS = 30;

  /** What ends the shell under a command twice is the command. */
  private static final int MOST_COMMANDS_LOST = 2;

  private final WorkflowState board;
  private final Limits limits;

  FailurePolicy(WorkflowState board, Limits limits) {
    this.board = board;
    this.limits = limits;
  }

  /** Holds the end of an attempt against its task as far as it is to blame. */
  void count(TaskState task, String node, TaskReport report) {
    if (isPassing(task, report)) {
      task.losses++;
      task.commandsLost += report.result() == Result.COMMAND_LOST ? 1 : 0;
      task.avoid(node);
      return;
    }
    switch (report.result()) {
      case WORKER_LOST, NODE_UNFIT -> task.losses++;
      case MEMORY_EXCEEDED -> starved(task, node, true);
      default -> {
        if (isFailure(task, report)) {
          task.failedOn(node);
        }
      }
    }
  }

  /**
   * An attempt ended for want of memory: the next one gets more.
   *
   * @param itself whether it is known that it was this task that took it
   */
  void starved(TaskState task, String node, boolean itself) {
    // Nobody can have known the first time.
    if (itself && task.starved > 0) {
      task.failedOn(node);
    }
    board.starved(task);
  }

  /** Whether an attempt counts among those that failed. */
  boolean isUnsuccessful(TaskState task, TaskReport report) {
    return switch (report.result()) {
      case WORKER_LOST, NODE_UNFIT, MEMORY_EXCEEDED -> true;
      default -> isPassing(task, report) || isFailure(task, report);
    };
  }

  /**
   * Whether HDFS would not move the task's files, which it may do after a while, or nobody knows
   * how its command ended. An input that is there, cannot be read and is made by nobody is so, too.
   */
  boolean isPassing(TaskState task, TaskReport report) {
    return report.result() == Result.INFRASTRUCTURE
        || report.result() == Result.COMMAND_LOST
        || (report.result() == Result.INPUT_UNREADABLE && !isInputLoss(task, report));
  }

  /** How long such a task is left alone, in milliseconds: trouble with HDFS may last a while. */
  static long pauseMillis(TaskState task) {
    return TimeUnit.SECONDS.toMillis(
        task.losses >= Long.SIZE - 1
            ? LONGEST_PAUSE_SECONDS
            : Math.min(1L << task.losses, LONGEST_PAUSE_SECONDS));
  }

  /** Whether inputs are lost, and all of them can be made again. */
  boolean isInputLoss(TaskState task, TaskReport report) {
    return (report.result() == Result.INPUT_LOST || report.result() == Result.INPUT_UNREADABLE)
        && !report.lostInputs().isEmpty()
        && report.lostInputs().stream().allMatch(id -> board.canBeMadeAgain(task, id));
  }

  /** A lost input is the task's failure only when nobody can make it again, or it is not named. */
  private boolean isFailure(TaskState task, TaskReport report) {
    return switch (report.result()) {
      case FAILED, REFUSED -> true;
      case INPUT_LOST -> !isInputLoss(task, report);
      default -> false;
    };
  }

  /**
   * Whether to try no more. What a task is allowed counts for its command only: trouble around it
   * is nobody's choice.
   */
  boolean isHopeless(TaskState task, TaskReport report) {
    boolean byItself =
        report.result() == Result.FAILED
            && report.exitCode() != TaskReport.NO_EXIT_CODE
            && task.failures >= task.attemptsAllowed;
    return byItself
        || report.result() == Result.REFUSED
        || (report.result() == Result.COMMAND_LOST && task.commandsLost >= MOST_COMMANDS_LOST)
        || task.failures >= limits.attempts()
        || task.losses >= limits.losses();
  }
}
