package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;

/**
 * What each worker of a run has room for.
 *
 * @param cores how many cores its tasks share, at least 1
 * @param memoryBytes how many bytes of memory its tasks share, at least 1
 * @param ahead how many tasks it is given beyond those that it can run, so that their inputs come
 *     while others run; 0 for none
 */
public record WorkerSize(int cores, long memoryBytes, int ahead) {

  /** One task of one core at a time, and none ahead. */
  public static final WorkerSize ONE_TASK = new WorkerSize(1, Long.MAX_VALUE, 0);

  /** How many tasks a worker has ahead where nobody says otherwise. */
  public static final int AHEAD = 2;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when there is room for nothing
   */
  public WorkerSize {
    if (cores < 1 || memoryBytes < 1 || ahead < 0) {
      throw new IllegalArgumentException(
          "A worker has " + cores + " cores, " + memoryBytes + " bytes, " + ahead + " tasks ahead");
    }
  }

  /**
   * Whether a task that needs this can run on an empty worker.
   *
   * @param needs what the task needs
   * @return whether it fits
   */
  public boolean fits(ResourceNeeds needs) {
    return needs.cores() <= cores && needs.memoryBytes() <= memoryBytes;
  }

  /**
   * What a task takes of a worker that runs nothing but tasks like it: more than 0, at most 1. It
   * has to fit.
   */
  double share(ResourceNeeds needs) {
    long sideBySide = (long) cores / needs.cores();
    if (needs.memoryBytes() > 0) {
      sideBySide = Math.min(sideBySide, memoryBytes / needs.memoryBytes());
    }
    return 1.0 / Math.max(1, sideBySide);
  }
}
