package dev.weir.workflow.jobs;

import java.util.Locale;

/** What has become of a job. */
public enum JobState {
  /** It waits for its inputs or for a worker. */
  QUEUED,
  /** A worker has it. */
  RUNNING,
  /** Its command ended with 0, and its outputs are there. */
  SUCCEEDED,
  /** Its command failed, or could not be run, or needs what another job failed to make. */
  FAILED,
  /** Somebody did not want it any more. */
  CANCELLED;

  /**
   * Whether it stays so.
   *
   * @return whether
   */
  public boolean isFinal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /**
   * The name in JSON and on the command line.
   *
   * @return in small letters
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what {@link #label} wrote.
   *
   * @param label the name
   * @return the state
   * @throws IllegalArgumentException when there is none of that name
   */
  public static JobState of(String label) {
    for (JobState state : values()) {
      if (state.label().equals(label)) {
        return state;
      }
    }
    throw new IllegalArgumentException("No job state is called '" + label + "'");
  }
}
