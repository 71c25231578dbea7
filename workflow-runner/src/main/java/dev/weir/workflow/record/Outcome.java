package dev.weir.workflow.record;

/** How an attempt at a task ended. */
public enum Outcome {
  /** It exited with 0 and its outputs were committed. */
  SUCCEEDED,
  /** It exited with another code, or its outputs could not be committed. */
  FAILED,
  /** Its worker or node was lost. */
  LOST,
  /** It was stopped because nobody wanted the task any more. */
  CANCELLED
}
