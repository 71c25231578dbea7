package dev.weir.workflow.jobs;

import dev.weir.workflow.model.TaskNeeds;

/**
 * How a job wants to be treated.
 *
 * @param needs what it needs of its worker
 * @param runtimeSeconds how long it is thought to compute, in seconds; 0 when nobody knows
 * @param priority jobs with a greater one go first
 * @param attempts how often its command may fail, at least 1. What is not the command's fault does
 *     not count
 */
public record JobOptions(TaskNeeds needs, double runtimeSeconds, int priority, int attempts) {

  /** One core, and one attempt: an engine that wants to try again does so itself. */
  public static final JobOptions DEFAULT = new JobOptions(TaskNeeds.UNKNOWN, 0, 0, 1);

  /** The greatest priority; the least is as far below 0. */
  public static final int HIGHEST_PRIORITY = 1_000_000;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a number is out of bounds
   */
  public JobOptions {
    if (!Double.isFinite(runtimeSeconds) || runtimeSeconds < 0) {
      throw new IllegalArgumentException(
          "runtime-seconds is " + runtimeSeconds + ": give 0 or more");
    }
    if (Math.abs((long) priority) > HIGHEST_PRIORITY) {
      throw new IllegalArgumentException(
          "priority is " + priority + ": give -" + HIGHEST_PRIORITY + " to " + HIGHEST_PRIORITY);
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts is " + attempts + ": give 1 or more");
    }
  }
}
