package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;

/**
 * The resources of each worker of a run.
 *
 * @param cores how many cores its tasks share, at least 1
 * @param memoryBytes how many bytes of memory its tasks share, at least 1
 * @param ahead how many tasks a worker gets beyond those that it runs, to stage their inputs; 0 for
 *     none
 */
public record WorkerSize(int cores, long memoryBytes, int ahead) {

  /** One task of one core at a time, and no tasks ahead. */
  public static final WorkerSize ONE_TASK = new WorkerSize(1, Long.MAX_VALUE, 0);

  /** The default number of tasks ahead. */
  public static final int AHEAD = 2;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when there is room for nothing
   */
  public WorkerSize {
    if (cores < 1 || memoryBytes < 1 || ahead < 0) {
      throw new IllegalArgumentException(
          "A worker has " + cores + " cores, " + memoryBytes + " bytes, " + ahead + " tasks ahead");
    }
  }

  /** Whether a task with these needs fits on an empty worker. */
  public boolean fits(ResourceNeeds needs) {
    return needs.cores() <= cores && needs.memoryBytes() <= memoryBytes;
  }

  /**
   * The share of a worker that a task takes when the worker runs only such tasks: above 0, at most
   * 1. The task must fit.
   */
  double share(ResourceNeeds needs) {
    long sideBySide = (long) cores / needs.cores();
    if (needs.memoryBytes() > 0) {
      sideBySide = Math.min(sideBySide, memoryBytes / needs.memoryBytes());
    }
    return 1.0 / Math.max(1, sideBySide);
  }
}
