package dev.weir.workflow.jobs;

/**
 * The status of a run.
 *
 * @param id of the run, which names its directory
 * @param tasks tasks of its workflow; 0 in a request for the state only
 * @param done finished tasks; 0 in a request for the state only
 */
public record RunStatus(String id, State state, int tasks, int done) {

  /** The state of a run. */
  public enum State {
    /** It is running. */
    RUNNING,
    /** Every task succeeded. */
    SUCCEEDED,
    /** A task failed permanently, or the run could not continue. */
    FAILED,
    /** Its owner ended it. */
    CANCELLED;

    /** Whether the run has ended and its record is written. */
    public boolean isFinal() {
      return this != RUNNING;
    }
  }

  /**
   * Creates a status with the state only.
   *
   * @param id of the run
   */
  public RunStatus(String id, State state) {
    this(id, state, 0, 0);
  }
}
