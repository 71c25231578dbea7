package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;

/** What becomes of what commands print. Calls may block and never throw. Any thread may call. */
interface CommandOutput {

  /**
   * An attempt is about to begin. Its logs have the names of those of an earlier one if the id of
   * its task is one that was used before.
   *
   * @param order what is to be done
   */
  default void begins(TaskOrder order) {}

  /**
   * An attempt has ended; called before anybody else hears of it.
   *
   * @param order what was to be done
   * @param report how it ended
   */
  void ended(TaskOrder order, TaskReport report);

  /**
   * An attempt is over and all is said of it, whichever way it ended: its logs are of use to people
   * only.
   *
   * @param order what was to be done
   */
  void over(TaskOrder order);

  /**
   * Somebody wants to see what a task has printed here so far.
   *
   * @param task id of the task, which may be unknown here
   */
  void wanted(String task);
}
