package dev.weir.workflow.scheduler.api;

/**
 * How often the scheduler retries before a task or run fails.
 *
 * @param attempts how often a task may fail before the run fails, at least 1
 * @param losses how often a task's worker or one file may be lost before the run fails, at least 1
 * @param keepGoing whether a run continues with its other tasks after a task has failed permanently
 */
public record Limits(int attempts, int losses, boolean keepGoing) {

  /** Three attempts and ten losses; the first permanent failure of a task ends the run. */
  public static final Limits DEFAULT = new Limits(3, 10);

  /** Limits of a run that ends with the first permanent failure of a task. */
  public Limits(int attempts, int losses) {
    this(attempts, losses, false);
  }

  /** The same limits for a run that continues after a permanent failure. */
  public Limits withKeepGoing() {
    return new Limits(attempts, losses, true);
  }

  /**
   * Checks the limits.
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
