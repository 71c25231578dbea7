package dev.weir.workflow.scheduler.api;

/** How the scheduler chooses a task for a worker with free resources. */
public enum AssignmentPolicy {
  /** The task that has been ready the longest. */
  FIFO,
  /** The task with the highest score ({@code TaskScore}) on the worker's node. */
  DATA_AWARE
}
