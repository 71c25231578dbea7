package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;

/**
 * Estimates when a task could start on a worker: after its inputs have moved, or after a busy
 * worker has room. Not thread-safe.
 */
public final class StartTimes {

  private final SessionState session;

  public StartTimes(WorkflowState graph) {
    this.session = graph.session();
  }

  /**
   * Returns the time to read the inputs that a node lacks.
   *
   * @param most in seconds; above this the result may be too small
   * @return in seconds
   */
  double move(TaskState task, String node, double most) {
    double rate = session.readRate().rate();
    return task.missingOn(node, session.caches(), most * rate) / rate;
  }

  /**
   * Returns the time until a busy worker has room for a task, after the tasks that are ahead of it
   * there.
   *
   * @return in seconds; infinite when a time is unknown, since a task may run for hours
   */
  double wait(TaskState task, WorkerState worker) {
    double wait = worker.roomAfter(task.needs(), running -> remaining(running, worker));
    for (TaskState before : worker.ahead()) {
      if (before == task || wait == Double.POSITIVE_INFINITY) {
        break;
      }
      wait +=
          known(before, before.graph().estimates().expected(before))
              / session.workers().workerSize().cores();
    }
    return wait;
  }

  private double remaining(TaskState running, WorkerState worker) {
    if (running.worker() != worker) {
      // A second copy of a task that is already slower than expected.
      return Double.POSITIVE_INFINITY;
    }
    return known(
        running, running.graph().estimates().remaining(running, session.stepBuilder().now()));
  }

  /** Returns infinity for a task that neither declares its time nor has an estimate. */
  private static double known(TaskState task, double seconds) {
    return task.graph().estimates().knows(task) ? seconds : Double.POSITIVE_INFINITY;
  }
}
