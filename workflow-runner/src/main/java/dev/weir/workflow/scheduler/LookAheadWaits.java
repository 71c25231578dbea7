package dev.weir.workflow.scheduler;

/** How long what a worker has ahead will wait there yet, as far as can be told. Not thread-safe. */
final class LookAheadWaits {

  private final WorkerSet crew;
  private final StepBuilder turn;

  LookAheadWaits(SchedulerContext scene) {
    this.crew = scene.crew();
    this.turn = scene.turn();
  }

  /**
   * For the first that ends there, and for those before it.
   *
   * @param task that the worker has ahead
   * @return in seconds; endless where nothing runs
   */
  double seconds(TaskState task, WorkerState holder) {
    double first = Double.POSITIVE_INFINITY;
    for (TaskState running : holder.running()) {
      first = Math.min(first, running.graph.paces.remaining(running, turn.now()));
    }
    double before = 0;
    for (TaskState other : holder.ahead()) {
      if (other == task) {
        break;
      }
      before += other.graph.paces.expected(other);
    }
    return first + before / crew.workerSize().cores();
  }
}
