package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;

/** Handles the output files of commands. Calls may block and never throw. Thread-safe. */
interface CommandOutput {

  /**
   * An attempt is about to start. Its logs have the names of an earlier attempt's if the id of its
   * task is reused.
   */
  default void starting(TaskOrder order) {}

  /** An attempt has ended; called before its report is sent. */
  void ended(TaskOrder order, TaskReport report);

  /**
   * An attempt and its report are complete, however it ended; its logs are not needed for the
   * report any more.
   */
  void finished(TaskOrder order);

  /**
   * A user wants to see what a task has printed here so far.
   *
   * @param task id of the task, which may be unknown here
   */
  void requested(String task);
}
