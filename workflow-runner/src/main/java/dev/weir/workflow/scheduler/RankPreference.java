package dev.weir.workflow.scheduler;

import java.util.function.Predicate;

/**
 * Decides when a task with bytes on a worker's node yields to one of higher rank. Only tasks of the
 * same priority are compared. Not thread-safe.
 *
 * <p>If reading its bytes takes only a small part of its run time, and the other task loses as
 * little on that node, the worker gets the other one. Otherwise critical tasks would wait at the
 * end of a run for the sake of a few bytes. Bytes go first when run times are unknown. They also go
 * first when the worker would get the other task ahead and would reach it only after a longer time
 * than that many tasks like the nearer one take: another worker could start it earlier.
 *
 * <p>If the bytes are worth more, but not several times the run time, the highest rank goes first
 * among tasks of which no other node has more bytes. This also holds for tasks ahead and unknown
 * run times, because the node would run these tasks in any case.
 */
final class RankPreference {

  /**
   * Reading is cheap if it takes less than one part in this many of the run time: as much as the
   * auction may lose.
   */
  private static final int PARTS = AssignmentMatcher.STEPS;

  /**
   * The rank must be higher by about the run time of the nearer task; for less, reading over a link
   * does not pay.
   */
  static final double LEAST_PART = 0.9;

  /** A task that reads for this many times its run time is too expensive to move. */
  private static final double MUCH = 3;

  /** How many tasks are tried on the worker's node, and how many of all. */
  static final int MOST_TRIES = 16;

  private final TaskQueue ready;
  private final ReadRate readRate;
  private final StepBuilder stepBuilder;

  /**
   * Creates the comparison for a graph.
   *
   * @param context ready tasks, read rate and time of the event
   */
  RankPreference(SchedulerContext context) {
    this.ready = context.graph().ready();
    this.stepBuilder = context.stepBuilder();
    this.readRate = context.readRate();
  }

  /**
   * Chooses a task for a worker instead of one with bytes on its node.
   *
   * @param near a ready task
   * @param may whether the worker may run another task
   * @return the same task when no other is better; a task with bytes on that node is preferred
   */
  TaskState insteadOf(TaskState near, WorkerState worker, Predicate<TaskState> may) {
    String node = worker.info().node();
    long here = near.bytesOn(node);
    if (here > 0 && !isCheapToRead(here, near)) {
      return isExpensiveToMove(here, near) ? near : highestRankHere(near, node, may);
    }
    double least = near.rank() + LEAST_PART * seconds(near);
    if (here == 0
        || ready.all().first().rank() <= least
        || waitSeconds(near, worker) > (1 + worker.ahead().size()) * seconds(near)) {
      return near;
    }
    Predicate<TaskState> isBetter =
        other ->
            other.rank() > least
                && other.priority() == near.priority()
                && isCheapToRead(mostBytes(other) - other.bytesOn(node), other)
                && may.test(other);
    int tries = 0;
    for (LocalTask place : ready.on(node)) {
      if (isBetter.test(place.task())) {
        return place.task();
      }
      if (++tries == MOST_TRIES) {
        // Later tasks may be as good, with their bytes here.
        return near;
      }
    }
    tries = 0;
    for (TaskState other : ready.all()) {
      if (other.rank() <= least || ++tries > MOST_TRIES) {
        break;
      }
      if (isBetter.test(other)) {
        return other;
      }
    }
    return near;
  }

  /** Whether reading the bytes elsewhere would take much longer than running the task. */
  private boolean isExpensiveToMove(long bytes, TaskState task) {
    return bytes / readRate.rate() > MUCH * task.graph().estimates().expected(task);
  }

  /**
   * Of tasks of which no other node has more bytes, the one whose rank is higher than that of the
   * nearest. Each of these tasks loses nothing there. The task that starts last delays the end of
   * the run by its whole chain, so the difference of the ranks need only exceed the run time that
   * ranks use.
   */
  private TaskState highestRankHere(TaskState near, String node, Predicate<TaskState> may) {
    double least = near.rank() + LEAST_PART * near.seconds();
    int tries = 0;
    TaskState highest = near;
    for (LocalTask place : ready.on(node)) {
      TaskState other = place.task();
      if (other.rank() > Math.max(least, highest.rank())
          && other.priority() == near.priority()
          && mostBytes(other) <= place.bytes()
          && may.test(other)) {
        highest = other;
      }
      if (++tries == MOST_TRIES) {
        break;
      }
    }
    return highest;
  }

  /** The time until the worker starts a task assigned now; infinite when it is unknown. */
  private double waitSeconds(TaskState near, WorkerState worker) {
    double wait =
        worker.roomAfter(
            near.needs(),
            running ->
                known(running, running.graph().estimates().remaining(running, stepBuilder.now())));
    for (TaskState before : worker.ahead()) {
      wait += known(before, seconds(before));
    }
    return wait;
  }

  private double known(TaskState task, double seconds) {
    return seconds(task) == 0 ? Double.POSITIVE_INFINITY : seconds;
  }

  private boolean isCheapToRead(long bytes, TaskState task) {
    return bytes / readRate.rate() * PARTS < seconds(task);
  }

  /** The run time of a task, as far as it is known; 0 otherwise. */
  private double seconds(TaskState task) {
    RuntimeEstimates.Estimate estimate = task.graph().estimates().of(task.task().type());
    return estimate == null ? task.task().runtimeSeconds() : estimate.expected();
  }

  private static long mostBytes(TaskState task) {
    long most = 0;
    for (LocalTask place : task.hostEntries()) {
      most = Math.max(most, place.bytes());
    }
    return most;
  }
}
