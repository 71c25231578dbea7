package dev.weir.workflow.scheduler;

import java.util.function.Predicate;

/**
 * When a task's bytes on a worker's node are not worth as much as the longer way to the end that
 * another has. Tasks of another priority are not compared. Not thread-safe.
 *
 * <p>Where reading them there saves less than a small part of what the task takes, and the other
 * one loses as little by being read for on that node, the worker gets that. Otherwise tasks at the
 * end of a run wait for others that nobody has begun because of a few bytes. Of tasks of which
 * nobody knows how long they take the bytes come first, and so they do where a worker would be
 * given the other one ahead while what it has to do before takes longer than as many of the nearer
 * one: until then others could have begun it.
 *
 * <p>Where bytes are worth more, though not several times what the task takes, the longest way goes
 * first of those tasks of which no node has more than this one, also ahead and where nobody knows
 * how long they take: it would be this node's in any case.
 */
final class RankPreference {

  /** Of what a task takes, so small a part is nothing: as much as an auction may lose. */
  private static final int PARTS = AssignmentMatcher.STEPS;

  /**
   * A way is longer when it is so by about as much as the nearer task takes, files and all: for
   * less it is not worth while to read over a link.
   */
  static final double LEAST_PART = 0.9;

  /** Who reads for so many times as long as a task takes is better spared that. */
  private static final double MUCH = 3;

  /** So many tasks are looked at on the worker's node, and so many of all. */
  static final int MOST_TRIES = 16;

  private final TaskQueue ready;
  private final ReadRate readRate;
  private final StepBuilder turn;

  /**
   * Compares.
   *
   * @param scene what could go instead, and when it is
   */
  RankPreference(SchedulerContext scene) {
    this.ready = scene.board().ready();
    this.turn = scene.turn();
    this.readRate = scene.readRate();
  }

  /**
   * What a worker gets in place of a task that it would get for its bytes there.
   *
   * @param near a ready task
   * @param may whether the worker may have another
   * @return the same where no other is better: one with bytes on that node if there is one
   */
  TaskState insteadOf(TaskState near, WorkerState worker, Predicate<TaskState> may) {
    String node = worker.info.node();
    long here = near.bytesOn(node);
    if (here > 0 && !isLittle(here, near)) {
      return isMuch(here, near) ? near : longestHere(near, node, may);
    }
    double least = near.rank + LEAST_PART * seconds(near);
    if (here == 0
        || ready.all().first().rank <= least
        || waitSeconds(near, worker) > (1 + worker.ahead().size()) * seconds(near)) {
      return near;
    }
    Predicate<TaskState> isBetter =
        other ->
            other.rank > least
                && other.priority == near.priority
                && isLittle(mostBytes(other) - other.bytesOn(node), other)
                && may.test(other);
    int tries = 0;
    for (LocalTask place : ready.on(node)) {
      if (isBetter.test(place.task())) {
        return place.task();
      }
      if (++tries == MOST_TRIES) {
        // One of the rest may be as good, and have its bytes here.
        return near;
      }
    }
    tries = 0;
    for (TaskState other : ready.all()) {
      if (other.rank <= least || ++tries > MOST_TRIES) {
        break;
      }
      if (isBetter.test(other)) {
        return other;
      }
    }
    return near;
  }

  /** Whether somebody who got it elsewhere would read for much longer than it takes. */
  private boolean isMuch(long bytes, TaskState task) {
    return bytes / readRate.rate() > MUCH * task.graph.paces.expected(task);
  }

  /**
   * Of tasks that no node has more bytes of the one with a longer way than the nearest: each loses
   * nothing there, and what follows the one that is begun last has the end of the run to itself. So
   * the ways need to differ by no more than the nearest one's computing, as they count it.
   */
  private TaskState longestHere(TaskState near, String node, Predicate<TaskState> may) {
    double least = near.rank + LEAST_PART * near.seconds;
    int tries = 0;
    TaskState longest = near;
    for (LocalTask place : ready.on(node)) {
      TaskState other = place.task();
      if (other.rank > Math.max(least, longest.rank)
          && other.priority == near.priority
          && mostBytes(other) <= place.bytes()
          && may.test(other)) {
        longest = other;
      }
      if (++tries == MOST_TRIES) {
        break;
      }
    }
    return longest;
  }

  /** Until the worker comes to what it is given now; endless where nobody can tell. */
  private double waitSeconds(TaskState near, WorkerState worker) {
    double wait =
        worker.roomAfter(
            near.needs,
            running -> known(running, running.graph.paces.remaining(running, turn.now())));
    for (TaskState before : worker.ahead()) {
      wait += known(before, seconds(before));
    }
    return wait;
  }

  private double known(TaskState task, double seconds) {
    return seconds(task) == 0 ? Double.POSITIVE_INFINITY : seconds;
  }

  private boolean isLittle(long bytes, TaskState task) {
    return bytes / readRate.rate() * PARTS < seconds(task);
  }

  /** How long it takes, as far as it is known; or else 0. */
  private double seconds(TaskState task) {
    RuntimeEstimates.Pace pace = task.graph.paces.of(task.task.type());
    return pace == null ? task.task.runtimeSeconds() : pace.expected();
  }

  private static long mostBytes(TaskState task) {
    long most = 0;
    for (LocalTask place : task.places) {
      most = Math.max(most, place.bytes());
    }
    return most;
  }
}
