package dev.weir.workflow.run;

import dev.weir.workflow.dispatch.WorkerSize;
import java.time.Duration;

/**
 * The workers of a run.
 *
 * @param count how many; 0 for one on each node
 * @param cores cores of each
 * @param megabytes memory of each container in MiB; the worker itself keeps {@link #OWN_MEGABYTES}
 * @param ahead how many tasks each is given beyond those that it runs
 * @param patienceMillis how long no task is given to anybody while workers are missing, in
 *     milliseconds; 0 to begin with the first
 */
public record WorkerPlan(int count, int cores, int megabytes, int ahead, long patienceMillis) {

  /** What the worker's own process takes of its container, in MiB. */
  public static final int OWN_MEGABYTES = 384;

  /** One on each node, with one core and 1 GiB. */
  public static final WorkerPlan DEFAULT = new WorkerPlan(0, 1, 1024, WorkerSize.AHEAD);

  private static final int MEBI_BITS = 20;

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a worker has no room for a task
   */
  public WorkerPlan {
    if (count < 0) {
      throw new IllegalArgumentException(
          "workers is " + count + ": give a number, or 0 for one on each node");
    }
    if (cores < 1) {
      throw new IllegalArgumentException("A worker has " + cores + " cores: give 1 or more");
    }
    if (megabytes <= OWN_MEGABYTES) {
      throw new IllegalArgumentException(
          "A worker has "
              + megabytes
              + " MiB and takes "
              + OWN_MEGABYTES
              + " for itself: give it more");
    }
    if (ahead < 0) {
      throw new IllegalArgumentException(
          "A worker is given " + ahead + " tasks ahead: give 0 or more");
    }
    if (patienceMillis < 0) {
      throw new IllegalArgumentException(
          "Tasks cannot wait for workers for " + patienceMillis + " ms: give 0 or more");
    }
  }

  /**
   * Workers of which the first begins at once.
   *
   * @param count how many; 0 for one on each node
   * @param cores cores of each
   * @param megabytes memory of each container in MiB
   * @param ahead how many tasks each is given beyond those that it runs
   */
  public WorkerPlan(int count, int cores, int megabytes, int ahead) {
    this(count, cores, megabytes, ahead, 0);
  }

  /**
   * The same with another number of workers.
   *
   * @param number how many
   * @return the plan
   */
  public WorkerPlan withCount(int number) {
    return new WorkerPlan(number, cores, megabytes, ahead, patienceMillis);
  }

  /**
   * The same, with tasks that wait until all workers are there: those that come late would find the
   * first tasks gone from the nodes that hold their files.
   *
   * @param longest how long they wait at most
   * @return the plan
   */
  public WorkerPlan withPatience(Duration longest) {
    return new WorkerPlan(count, cores, megabytes, ahead, longest.toMillis());
  }

  /**
   * What there is room for in each.
   *
   * @return the size
   */
  public WorkerSize size() {
    return new WorkerSize(cores, (long) (megabytes - OWN_MEGABYTES) << MEBI_BITS, ahead);
  }
}
