package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkflowState;

/**
 * Compares ready tasks for a worker's node. The score of a task is its rank, as in HEFT (Topcuoglu
 * et al., 2002), plus the weighted time of reading that the node saves, compared with the best
 * other node that has a worker or may get one. In a graph that grows, chains of tasks are not
 * known; the rank there is the time for which a task has waited too long.
 */
record TaskScore(WorkflowState graph) {

  /**
   * The weight of a second of reading. A link is shared, so that a task that reads delays others,
   * too; a task that is passed over only waits.
   */
  private static final double READ_WEIGHT = 16;

  /** How long tasks with more local bytes may precede a task in a graph that grows. */
  private static final double LOCAL_FIRST_SECONDS = 30;

  private static final double MILLIS_PER_SECOND = 1_000;

  /**
   * Returns the score of a ready task on a node. Of several tasks, that with the highest score goes
   * there first.
   *
   * @return in seconds
   */
  double of(TaskState task, String node) {
    WorkerSet workers = graph.session().workers();
    long here = 0;
    long elsewhere = 0;
    for (LocalTask place : task.hostEntries()) {
      if (place.host().equals(node)) {
        here = place.bytes();
      } else if (!workers.ordinary().on(place.host()).isEmpty()
          || workers.mayGetWorker(place.host())) {
        elsewhere = Math.max(elsewhere, place.bytes());
      }
    }
    return rank(task) + READ_WEIGHT * (here - elsewhere) / graph.session().readRate().rate();
  }

  private double rank(TaskState task) {
    if (!graph.grows()) {
      return task.rank();
    }
    double waited = (graph.session().stepBuilder().now() - task.readyMillis()) / MILLIS_PER_SECOND;
    return Math.max(0, waited - LOCAL_FIRST_SECONDS);
  }
}
