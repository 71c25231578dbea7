package dev.weir.workflow.record;

/** The outcome of an attempt of a task. */
public enum Outcome {
  /** The command exited with 0 and its outputs were committed. */
  SUCCEEDED,
  /** The command exited with another code, or its outputs were missing or refused. */
  FAILED,
  /** The worker or its node was lost, or could not transfer the files. */
  LOST,
  /** The attempt was stopped because the task was not needed any more. */
  CANCELLED
}
