package dev.weir.workflow.provenance;

/** How far a run is, as the hints service knows it. */
public enum RunPhase {
  /** It was heard of, and its end was not. */
  RUNNING,
  /** Every task succeeded. */
  SUCCEEDED,
  /** A task failed for good, or the run could not go on. */
  FAILED,
  /** Its user has ended it. */
  CANCELLED
}
