package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether and when a task is retried. Classifies failures as the task's or the
 * environment's. An error of a command counts as a failure. A lost worker and an HDFS error count
 * as losses, of which more are allowed. Not thread-safe.
 */
final class RetryPolicy {

  private static final long MAX_DELAY_SECONDS = 30;

  private final WorkflowState graph;
  private final Limits limits;

  RetryPolicy(WorkflowState graph, Limits limits) {
    this.graph = graph;
    this.limits = limits;
  }

  /** Counts the end of an attempt as a failure or a loss of its task. */
  void recordFailure(TaskState task, String node, TaskReport report) {
    if (isTransient(task, report)) {
      task.countLoss();
      task.excludeNode(node);
      return;
    }
    switch (report.result()) {
      case WORKER_LOST, NODE_UNFIT -> task.countLoss();
      case MEMORY_EXCEEDED -> memoryExceeded(task, node, true);
      default -> {
        if (isFailure(task, report)) {
          task.countFailure(node);
        }
      }
    }
  }

  /**
   * Raises the needs of a task whose attempt was killed for memory.
   *
   * @param itself whether this task is known to have caused it
   */
  void memoryExceeded(TaskState task, String node, boolean itself) {
    // The first time is excused: the needs could not be known.
    if (itself && task.memoryKills() > 0) {
      task.countFailure(node);
    }
    graph.memoryExceeded(task);
  }

  /** Whether an attempt counts as unsuccessful in the statistics. */
  boolean isUnsuccessful(TaskState task, TaskReport report) {
    return switch (report.result()) {
      case WORKER_LOST, NODE_UNFIT, MEMORY_EXCEEDED -> true;
      default -> isTransient(task, report) || isFailure(task, report);
    };
  }

  /**
   * Whether a retry may succeed after a delay: HDFS could not move the task's files, the result of
   * the command is unknown, or an input exists that cannot be read and that no task can make again.
   */
  boolean isTransient(TaskState task, TaskReport report) {
    return report.result() == Result.INFRASTRUCTURE
        || (report.result() == Result.INPUT_UNREADABLE && !isInputLoss(task, report));
  }

  /** The delay before a task is retried after a transient error, in milliseconds. */
  static long delayMillis(TaskState task) {
    return TimeUnit.SECONDS.toMillis(
        task.losses() >= Long.SIZE - 1
            ? MAX_DELAY_SECONDS
            : Math.min(1L << task.losses(), MAX_DELAY_SECONDS));
  }

  /** Whether inputs are lost that tasks can make again. */
  boolean isInputLoss(TaskState task, TaskReport report) {
    return (report.result() == Result.INPUT_LOST || report.result() == Result.INPUT_UNREADABLE)
        && !report.lostInputs().isEmpty()
        && report.lostInputs().stream().allMatch(id -> graph.canBeMadeAgain(task, id));
  }

  /**
   * Whether an attempt counts as a failure. A lost input does only if it is not named or no task
   * can make it again.
   */
  private boolean isFailure(TaskState task, TaskReport report) {
    return switch (report.result()) {
      case FAILED, REFUSED -> true;
      case INPUT_LOST -> !isInputLoss(task, report);
      default -> false;
    };
  }

  /**
   * Whether the task has failed permanently. Its own number of attempts replaces that of the run
   * for failures of its command. The larger of both limits other failures. Losses have their own
   * limit.
   */
  boolean isPermanentFailure(TaskState task, TaskReport report) {
    int declared = task.attemptsAllowed();
    boolean byItself =
        declared > 0
            && report.result() == Result.FAILED
            && report.exitCode() != TaskReport.NO_EXIT_CODE
            && task.failures() >= declared;
    return byItself
        || report.result() == Result.REFUSED
        || task.failures() >= Math.max(declared, limits.attempts())
        || task.losses() >= limits.losses();
  }
}
