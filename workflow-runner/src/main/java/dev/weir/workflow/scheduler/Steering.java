package dev.weir.workflow.scheduler;

/**
 * What the owner of a run wants of it while it goes on. Said twice it does no more than once.
 *
 * @param action what
 * @param tasks which tasks, as {@link TaskGlob} reads it; empty for the whole run
 * @param priority for {@link Action#PRIORITISE}: tasks with a higher one go first; 0 is what all
 *     have
 */
public record Steering(Action action, String tasks, int priority) {

  /** The highest priority; the lowest is as far below 0. */
  public static final int HIGHEST = 1_000_000;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the action or the tasks are missing, as they may be in a
   *     file, or the priority is out of bounds
   */
  public Steering {
    if (action == null || tasks == null) {
      throw new IllegalArgumentException("A wish names an action and tasks");
    }
    if (Math.abs((long) priority) > HIGHEST) {
      throw new IllegalArgumentException(
          "The priority " + priority + " is out of bounds: give -" + HIGHEST + " to " + HIGHEST);
    }
  }

  /** What can be wanted. */
  public enum Action {
    /** No more tasks are begun; those that run go on. */
    PAUSE,
    /** Takes back {@link #PAUSE}. */
    RESUME,
    /** The tasks, and those that need what they make, are not done; of the whole run: it ends. */
    CANCEL,
    /** The tasks go before those with a lower priority. */
    PRIORITISE,
    /** Tasks that failed for good, or were cancelled by name, are tried again. */
    RETRY,
    /** What the one task of that id has printed is to be shown; nothing changes. */
    SHOW_LOG
  }

  /**
   * Something without a priority.
   *
   * @param action what
   * @param tasks which tasks; empty for the whole run
   * @return the wish
   */
  public static Steering of(Action action, String tasks) {
    return new Steering(action, tasks, 0);
  }
}
