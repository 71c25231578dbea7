package dev.weir.workflow.scheduler.api;

/**
 * A request by the owner of a run to change the run. Applying it twice has the same effect as once.
 *
 * @param tasks which tasks, as a pattern for {@link TaskGlob}; empty for the whole run
 * @param priority for {@link Action#PRIORITISE}: tasks with a higher priority go first; 0 is the
 *     default
 */
public record Steering(Action action, String tasks, int priority) {

  /** The highest priority; the lowest is as far below 0. */
  public static final int HIGHEST = 1_000_000;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when the action or the tasks are missing, as they may be in a
   *     file, or the priority is out of bounds
   */
  public Steering {
    if (action == null || tasks == null) {
      throw new IllegalArgumentException("A steering request must have an action and tasks");
    }
    if (Math.abs((long) priority) > HIGHEST) {
      throw new IllegalArgumentException(
          "The priority " + priority + " is out of bounds: give -" + HIGHEST + " to " + HIGHEST);
    }
  }

  public enum Action {
    /** Starts no more tasks; running tasks continue. */
    PAUSE,
    /** Ends a {@link #PAUSE}. */
    RESUME,
    /** Drops the tasks and those that need their outputs; without tasks, ends the run. */
    CANCEL,
    PRIORITISE,
    /** Retries tasks that failed permanently, or that were cancelled by name. */
    RETRY,
    /** Shows the output of the one task of that id; changes nothing. */
    SHOW_LOG,
    /** Takes a further run into the run's session; the tasks are the id of that run. */
    TAKE_RUN,
    /** Adds tasks to the run; the tasks are the name of the file with them. */
    ADD_TASKS
  }

  /**
   * A request without a priority.
   *
   * @param tasks which tasks; empty for the whole run
   */
  public static Steering of(Action action, String tasks) {
    return new Steering(action, tasks, 0);
  }
}
