package dev.weir.workflow.scheduler;

/** How the scheduler chooses a task for a worker with free resources. */
public enum AssignmentPolicy {
  /** The task that has been ready the longest. */
  FIFO,
  /**
   * The task with most bytes on the worker's node. Ties go to the higher rank, then to the task
   * that has been ready the longest.
   */
  DATA_AWARE
}
