package dev.weir.workflow.record;

/** The state of a run. */
public enum RunState {
  /** It continues; only in the record of a live run. */
  RUNNING,
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed permanently, or the run could not continue. */
  FAILED,
  /** A user cancelled it. */
  CANCELLED
}
