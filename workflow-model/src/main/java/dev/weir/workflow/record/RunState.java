package dev.weir.workflow.record;

/** The final state of a run. */
public enum RunState {
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed permanently, or the run could not continue. */
  FAILED,
  /** A user cancelled it. */
  CANCELLED
}
