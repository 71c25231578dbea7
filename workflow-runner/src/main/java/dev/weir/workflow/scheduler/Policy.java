package dev.weir.workflow.scheduler;

/** How a task is chosen for a free worker. */
public enum Policy {
  /** The task that has been ready the longest. */
  FIFO,
  /**
   * The task with the most bytes on the worker's node; then the longest way to the end; then FIFO.
   */
  DATA_AWARE
}
