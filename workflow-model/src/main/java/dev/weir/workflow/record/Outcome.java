package dev.weir.workflow.record;

/** How an attempt at a task ended. */
public enum Outcome {
  /** It exited with 0 and its outputs were committed. */
  SUCCEEDED,
  /** It exited with another code, or its outputs were missing or refused. */
  FAILED,
  /** Its worker or node was lost, or could not move its files. */
  LOST,
  /** It was stopped because nobody wanted the task any more. */
  CANCELLED
}
