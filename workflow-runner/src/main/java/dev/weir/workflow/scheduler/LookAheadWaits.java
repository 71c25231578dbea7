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
   * The time until the first running task ends, plus that of the tasks ahead before it. A task of a
   * type without estimate and without a declared time may run for hours: to wait for it may cost
   * more than any transfer.
   *
   * @param task a task ahead on the worker
   * @return in seconds; infinite when the worker runs no task or a time is unknown
   */
  double seconds(TaskState task, WorkerState holder) {
    double first = Double.POSITIVE_INFINITY;
    for (TaskState running : holder.running()) {
      RuntimeEstimates estimates = running.graph().estimates();
      if (estimates.knows(running)) {
        first = Math.min(first, estimates.remaining(running, stepBuilder.now()));
      }
    }
    double before = 0;
    for (TaskState other : holder.ahead()) {
      if (other == task) {
        break;
      }
      RuntimeEstimates estimates = other.graph().estimates();
      before += estimates.knows(other) ? estimates.expected(other) : Double.POSITIVE_INFINITY;
    }
    return first + before / workers.workerSize().cores();
  }
}
