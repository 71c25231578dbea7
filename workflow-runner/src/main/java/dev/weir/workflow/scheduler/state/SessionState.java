package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.WorkerSize;

/**
 * What the graphs of a session share, besides their dispatcher.
 *
 * @param workers the live workers
 * @param stepBuilder the event being handled
 * @param assignments which worker has which task
 * @param caches files in the caches of nodes
 * @param nodeFiles files in the stores of nodes, of all graphs
 */
public record SessionState(
    AssignmentPolicy policy,
    WorkerSet workers,
    StepBuilder stepBuilder,
    Assignments assignments,
    ReadRate readRate,
    CacheIndex caches,
    NodeFiles nodeFiles) {

  /** The state of a session without workers. */
  public static SessionState of(AssignmentPolicy policy, WorkerSize size) {
    WorkerSet workers = new WorkerSet(size);
    StepBuilder stepBuilder = new StepBuilder();
    return new SessionState(
        policy,
        workers,
        stepBuilder,
        new Assignments(workers, stepBuilder),
        new ReadRate(),
        new CacheIndex(CacheIndex.MOST),
        new NodeFiles());
  }
}
