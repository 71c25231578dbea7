package dev.weir.workflow.dispatch;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Which ready task goes to which free worker. */
interface Chooser {

  /** A task and the worker that is to run it. */
  record Choice(TaskState task, WorkerState worker) {}

  /**
   * The next assignment.
   *
   * @param ready ready tasks, those that have been ready the longest first
   * @param free workers without a task
   * @param allowed whether a worker may run a task
   * @return the choice, or empty when nothing fits
   */
  Optional<Choice> next(
      Collection<TaskState> ready,
      Collection<WorkerState> free,
      BiPredicate<TaskState, WorkerState> allowed);

  static Chooser of(Policy policy) {
    return switch (policy) {
      case FIFO -> Chooser::firstComeFirstServed;
      case DATA_AWARE -> Chooser::mostLocalBytes;
    };
  }

  private static Optional<Choice> firstComeFirstServed(
      Collection<TaskState> ready,
      Collection<WorkerState> free,
      BiPredicate<TaskState, WorkerState> allowed) {
    for (TaskState task : ready) {
      for (WorkerState worker : free) {
        if (allowed.test(task, worker)) {
          return Optional.of(new Choice(task, worker));
        }
      }
    }
    return Optional.empty();
  }

  /** Looks at all pairs, so that of two free workers the one with the data gets the task. */
  private static Optional<Choice> mostLocalBytes(
      Collection<TaskState> ready,
      Collection<WorkerState> free,
      BiPredicate<TaskState, WorkerState> allowed) {
    Comparator<Scored> best =
        Comparator.comparingLong(Scored::localBytes)
            .thenComparingDouble(scored -> scored.choice().task().rank)
            .thenComparing(
                Comparator.comparingLong((Scored scored) -> scored.choice().task().readyNumber)
                    .reversed());
    Scored chosen = null;
    for (WorkerState worker : free) {
      for (TaskState task : ready) {
        Scored scored = new Scored(new Choice(task, worker), task.localBytes(worker.info.node()));
        if ((chosen == null || best.compare(scored, chosen) > 0) && allowed.test(task, worker)) {
          chosen = scored;
        }
      }
    }
    return Optional.ofNullable(chosen).map(Scored::choice);
  }

  /** A possible assignment and the bytes it would read from its own node. */
  record Scored(Choice choice, long localBytes) {}
}
