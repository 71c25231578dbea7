package dev.weir.workflow.provenance;

/** The phase of a run in the hints service. */
public enum RunPhase {
  /** The run was reported, and its end was not. */
  RUNNING,
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed permanently, or the run could not continue. */
  FAILED,
  /** A user cancelled it. */
  CANCELLED
}
