package dev.weir.workflow.scheduler;

/**
 * When to stop trying.
 *
 * @param attempts how often a task may fail before the run fails, at least 1
 * @param losses how often a task's worker or one file may be lost before the run fails, at least 1
 * @param keepGoing whether a run whose task has failed for good does what it can without that task
 *     before it fails
 */
public record Limits(int attempts, int losses, boolean keepGoing) {

  /** Three attempts; ten losses; the first task that fails for good ends the run. */
  public static final Limits DEFAULT = new Limits(3, 10);

  /**
   * Limits of a run that the first task that fails for good ends.
   *
   * @param attempts how often a task may fail, at least 1
   * @param losses how often a task's worker or one file may be lost, at least 1
   */
  public Limits(int attempts, int losses) {
    this(attempts, losses, false);
  }

  /**
   * The same for a run that goes on when a task has failed for good.
   *
   * @return the limits
   */
  public Limits goingOn() {
    return new Limits(attempts, losses, true);
  }

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a limit is below 1
   */
  public Limits {
    if (attempts < 1 || losses < 1) {
      throw new IllegalArgumentException(
          "attempts (" + attempts + ") and losses (" + losses + ") must be at least 1");
    }
  }
}
