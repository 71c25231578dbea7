package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.Optional;

/**
 * The resources of each worker of a run.
 *
 * @param cores how many cores its tasks share, at least 1
 * @param memoryBytes how many bytes of memory its tasks share, at least 1
 * @param ahead how many tasks a worker gets beyond those that it runs, to stage their inputs; 0 for
 *     none
 * @param cluster what the cluster has for tasks that need more
 */
public record WorkerSize(int cores, long memoryBytes, int ahead, ClusterResources cluster) {

  /** One task of one core at a time, and no tasks ahead. */
  public static final WorkerSize ONE_TASK = new WorkerSize(1, Long.MAX_VALUE, 0);

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

  /** Workers of a cluster that has no more for a task. */
  public WorkerSize(int cores, long memoryBytes, int ahead) {
    this(cores, memoryBytes, ahead, ClusterResources.NONE);
  }

  /**
   * The most memory that a task may get after it was killed for memory, in bytes. One that needs
   * further types of resources gets no more than the nodes with these have.
   */
  public long mostMemoryBytes(ResourceNeeds needs) {
    long most = cluster.mostMemoryBytes(needs);
    return needs.resources().isEmpty() ? Math.max(memoryBytes, most) : most;
  }

  /**
   * Whether a task with these needs fits on an empty worker. A task that needs further types of
   * resources or several containers does not: it gets a dedicated worker.
   */
  public boolean fits(ResourceNeeds needs) {
    return needs.cores() <= cores
        && needs.memoryBytes() <= memoryBytes
        && !needs.needDedicatedWorker();
  }

  /**
   * Why no worker can ever run a task with these needs.
   *
   * @return the reason, which follows "it needs X, and"; empty if a worker can
   */
  public Optional<String> refusal(ResourceNeeds needs) {
    if (needs.needDedicatedWorker()) {
      // Without declared memory its container is as large as those of the other workers.
      boolean isDeclared = needs.memoryBytes() > 0 || memoryBytes == Long.MAX_VALUE;
      return cluster.refusal(isDeclared ? needs : needs.withMemory(memoryBytes));
    }
    return fits(needs)
        ? Optional.empty()
        : Optional.of("a worker has " + ResourceNeeds.inWords(cores, memoryBytes));
  }

  /** Why no worker can ever run a task; empty if one can. */
  public Optional<String> refusal(Task task) {
    ResourceNeeds needs = ResourceNeeds.of(task.needs());
    return refusal(needs)
        .map(reason -> "Task '" + task.id() + "' needs " + needs.inWords() + ", and " + reason);
  }

  /**
   * The share of a worker that a task takes when the worker runs only such tasks: above 0, at most
   * 1. The task must fit.
   */
  public double share(ResourceNeeds needs) {
    long sideBySide = (long) cores / needs.cores();
    if (needs.memoryBytes() > 0) {
      sideBySide = Math.min(sideBySide, memoryBytes / needs.memoryBytes());
    }
    return 1.0 / Math.max(1, sideBySide);
  }
}
