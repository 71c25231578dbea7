package dev.weir.workflow.dispatch;

/**
 * When to stop trying.
 *
 * @param attempts how often a task may fail before the run fails, at least 1
 * @param losses how often a task's worker or one file may be lost before the run fails, at least 1
 */
public record Limits(int attempts, int losses) {

  /** Three attempts; ten losses. */
  public static final Limits DEFAULT = new Limits(3, 10);

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
