package dev.weir.workflow.record;

/** How a run ended. */
public enum RunState {
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed for good, or the run could not go on. */
  FAILED,
  /** Somebody wanted it to end. */
  CANCELLED
}
