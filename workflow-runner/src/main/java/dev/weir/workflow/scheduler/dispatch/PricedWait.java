package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;

/**
 * Lets a task wait for a busy worker instead of starting at once, if that worker's node has more of
 * its bytes and will have room before the bytes would have moved.
 *
 * <p>The task is assigned ahead to the busy worker. {@link LookAheadRecall} takes it back when it
 * has waited as long as moving takes, or earlier when waiting has become dearer. The task waits
 * only once until it starts, or until something else delays it, such as a pause. Not thread-safe.
 */
final class PricedWait {

  /** A smaller gain is not worth a wait: the gap between two tasks takes this long. */
  private static final double LEAST_SECONDS = 0.1;

  private final WorkflowState graph;
  private final StartTimes times;

  PricedWait(WorkflowState graph, StartTimes times) {
    this.graph = graph;
    this.times = times;
  }

  /**
   * Chooses the worker where a task can start soonest. A task that is to wait is marked.
   *
   * @param task a ready task
   * @param target a worker that can start it at once
   * @return the same worker, or a busy one that gets it ahead
   */
  WorkerState place(TaskState task, WorkerState target) {
    if (graph.isUrgent(task) || task.hasWaitedForWorker() || !hasMoreElsewhere(task, target)) {
      return target;
    }
    task.forgetWaits();
    // The index may list fewer bytes than the node has.
    double move = times.move(task, target.info().node(), Double.POSITIVE_INFINITY);
    WorkerState best = target;
    double most = LEAST_SECONDS;
    for (LocalTask place : task.hostEntries()) {
      for (WorkerState worker : graph.session().workers().acceptingAhead().on(place.host())) {
        if (mayWaitFor(worker, task)) {
          double saved = move - times.move(task, place.host(), move - most);
          double wait = saved > most ? times.wait(task, worker) : Double.POSITIVE_INFINITY;
          if (wait < Double.POSITIVE_INFINITY) {
            task.noteWait(place.host(), wait);
          }
          if (saved - wait > most) {
            most = saved - wait;
            best = worker;
          }
        }
      }
    }
    if (best != target) {
      task.startWait(graph.session().stepBuilder().now());
    }
    return best;
  }

  /** A cheap check by the index: for most tasks, no node has more bytes than the target. */
  private boolean hasMoreElsewhere(TaskState task, WorkerState target) {
    double leastBytes =
        task.bytesOn(target.info().node()) + LEAST_SECONDS * graph.session().readRate().rate();
    return task.hostEntries().stream().anyMatch(place -> place.bytes() > leastBytes);
  }

  /**
   * Returns whether a task may wait for a worker. It does not wait for a worker with a free core,
   * because a large task would keep others from that core.
   */
  private boolean mayWaitFor(WorkerState worker, TaskState task) {
    return !worker.idle()
        && !task.hasSecondCopyOn(worker)
        && graph.session().workers().allows(task, worker.info().node());
  }
}
