package dev.weir.workflow.jobs;

/**
 * A run as its session knows it.
 *
 * @param id of the run, which names its directory
 * @param state whether it goes on, or how it ended
 * @param tasks tasks of its workflow; 0 when only the state was asked for
 * @param done tasks that are done; 0 when only the state was asked for
 */
public record RunStatus(String id, State state, int tasks, int done) {

  /** What a run is doing. */
  public enum State {
    /** It goes on. */
    RUNNING,
    /** Every task succeeded. */
    SUCCEEDED,
    /** A task failed permanently, or the run could not go on. */
    FAILED,
    /** Its owner ended it. */
    CANCELLED;

    /**
     * Whether the run has ended and its record is written.
     *
     * @return whether
     */
    public boolean isFinal() {
      return this != RUNNING;
    }
  }

  /**
   * A run of which only the state is asked for.
   *
   * @param id of the run
   * @param state whether it goes on, or how it ended
   */
  public RunStatus(String id, State state) {
    this(id, state, 0, 0);
  }
}
