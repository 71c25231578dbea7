package dev.weir.workflow.scheduler;

/** Estimates how long a task ahead still waits on its worker. Not thread-safe. */
final class LookAheadWaits {

  private final WorkerSet workers;
  private final StepBuilder stepBuilder;

  LookAheadWaits(SchedulerContext context) {
    this.workers = context.workers();
    this.stepBuilder = context.stepBuilder();
  }

  /**
   * The time until the first running task ends, plus that of the tasks ahead before it.
   *
   * @param task a task ahead on the worker
   * @return in seconds; infinite when the worker runs no task
   */
  double seconds(TaskState task, WorkerState holder) {
    double first = Double.POSITIVE_INFINITY;
    for (TaskState running : holder.running()) {
      first = Math.min(first, running.graph().estimates().remaining(running, stepBuilder.now()));
    }
    double before = 0;
    for (TaskState other : holder.ahead()) {
      if (other == task) {
        break;
      }
      before += other.graph().estimates().expected(other);
    }
    return first + before / workers.workerSize().cores();
  }
}
