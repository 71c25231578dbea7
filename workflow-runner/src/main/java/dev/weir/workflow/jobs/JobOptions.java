package dev.weir.workflow.jobs;

import dev.weir.workflow.model.TaskNeeds;

/**
 * How a job wants to be treated.
 *
 * @param needs what it needs of its worker
 * @param runtimeSeconds how long it is thought to compute, in seconds; 0 when nobody knows
 * @param priority jobs with a greater one go first
 * @param attempts how often its command may fail, at least 1 and at most {@value #MOST_ATTEMPTS}.
 *     What is not the command's fault does not count
 */
public record JobOptions(TaskNeeds needs, double runtimeSeconds, int priority, int attempts) {

  /** One core, and one attempt: an engine that wants to try again does so itself. */
  public static final JobOptions DEFAULT = new JobOptions(TaskNeeds.UNKNOWN, 0, 0, 1);

  /** How often a session tries a job at most: an engine that wants more gives it again. */
  public static final int MOST_ATTEMPTS = 3;

  /** The greatest priority; the least is as far below 0. */
  public static final int HIGHEST_PRIORITY = 1_000_000;

  private static final long MEBI = 1L << 20;

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
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts is "
              + attempts
              + ": give 1 to "
              + MOST_ATTEMPTS
              + ", and submit the job again, with another id, if it is to be tried more often");
    }
  }

  /**
   * Memory in bytes, of which a job says how many MiB.
   *
   * @param mebibytes how many
   * @return the bytes
   * @throws IllegalArgumentException when there are less than none, or more than can be counted
   */
  public static long memoryBytes(long mebibytes) {
    long most = Long.MAX_VALUE / MEBI;
    if (mebibytes < 0 || mebibytes > most) {
      throw new IllegalArgumentException(
          "memory-mb is " + mebibytes + ": give 0 (not known) to " + most);
    }
    return mebibytes * MEBI;
  }

  /** The memory that it needs in MiB, rounded up. */
  long memoryMebibytes() {
    return (needs.memoryBytes() + MEBI - 1) / MEBI;
  }
}
