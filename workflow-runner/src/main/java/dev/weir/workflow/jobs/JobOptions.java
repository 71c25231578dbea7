package dev.weir.workflow.jobs;

import dev.weir.workflow.model.TaskNeeds;

/**
 * Resources, priority and attempts of a job.
 *
 * @param runtimeSeconds expected run time in seconds; 0 if unknown
 * @param priority jobs with a higher priority start first
 * @param attempts how often its command may fail, at least 1 and at most {@value #MOST_ATTEMPTS};
 *     failures of the infrastructure do not count
 */
public record JobOptions(TaskNeeds needs, double runtimeSeconds, int priority, int attempts) {

  /** One core and one attempt: engines retry themselves. */
  public static final JobOptions DEFAULT = new JobOptions(TaskNeeds.UNKNOWN, 0, 0, 1);

  /** The maximum number of attempts. */
  public static final int MOST_ATTEMPTS = TaskNeeds.MOST_RETRIES + 1;

  /** The highest priority; the lowest is its negative. */
  public static final int HIGHEST_PRIORITY = 1_000_000;

  private static final long MEBI = 1L << 20;

  /** Validates. */
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
          "attempts is " + attempts + ": give 1 to " + MOST_ATTEMPTS);
    }
  }

  /**
   * Converts MiB to bytes.
   *
   * @param mebibytes the MiB
   * @throws IllegalArgumentException when the number is negative or too large
   */
  public static long memoryBytes(long mebibytes) {
    long most = Long.MAX_VALUE / MEBI;
    if (mebibytes < 0 || mebibytes > most) {
      throw new IllegalArgumentException(
          "memory-mb is " + mebibytes + ": give 0 (not known) to " + most);
    }
    return mebibytes * MEBI;
  }

  /** Returns the needed memory in MiB, rounded up. */
  long memoryMebibytes() {
    return (needs.memoryBytes() + MEBI - 1) / MEBI;
  }
}
