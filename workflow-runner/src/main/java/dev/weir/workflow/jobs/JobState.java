package dev.weir.workflow.jobs;

import java.util.Locale;

/** The state of a job. */
public enum JobState {
  /** It waits for its inputs or for a worker. */
  QUEUED,
  /** A worker runs it. */
  RUNNING,
  /** Its command ended with 0, and its outputs are there. */
  SUCCEEDED,
  /** Its command failed, or could not be run, or needs what another job failed to make. */
  FAILED,
  /** A client cancelled it. */
  CANCELLED;

  /** Whether the state is final. */
  public boolean isFinal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /** Returns the name in JSON and on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what {@link #label} wrote. */
  public static JobState of(String label) {
    for (JobState state : values()) {
      if (state.label().equals(label)) {
        return state;
      }
    }
    throw new IllegalArgumentException("No job state is called '" + label + "'");
  }
}
