package dev.weir.workflow.record;

/** How a run ended. */
public enum RunState {
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed for good, or the run was stopped. */
  FAILED
}
