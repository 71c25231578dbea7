package dev.weir.workflow.scheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which worker has which task in hand, and what workers are told of that: to start, to give back
 * and to stop. Not thread-safe.
 */
final class Assignments {

  private final WorkerSet crew;
  private final StepBuilder turn;

  private Watcher watcher =
      new Watcher() {
        @Override
        public List<String> given(TaskState task, WorkerInfo worker) {
          return List.of();
        }

        @Override
        public void left(TaskState task, WorkerInfo worker) {}

        @Override
        public long coming(TaskState task, String node) {
          return 0;
        }
      };

  /** Who has to know which inputs come to which node. */
  interface Watcher {

    /**
     * A worker is given a task.
     *
     * @return ids of inputs that were copied to its node ahead of the task
     */
    List<String> given(TaskState task, WorkerInfo worker);

    /** A worker has a task no longer. */
    void left(TaskState task, WorkerInfo worker);

    /**
     * How many bytes of a task's inputs that a node lacks should have come there by now, of what is
     * being copied to it ahead of the task.
     */
    long coming(TaskState task, String node);
  }

  Assignments(WorkerSet crew, StepBuilder turn) {
    this.crew = crew;
    this.turn = turn;
  }

  /** Says who is to know of what is given; up to then nobody is. */
  void watchedBy(Watcher one) {
    watcher = one;
  }

  /**
   * How many bytes of a task's inputs that a node lacks should have come there by now, of what is
   * being copied to it ahead of the task.
   */
  long coming(TaskState task, String node) {
    return watcher.coming(task, node);
  }

  /** A ready task goes to a worker, which starts it or has it ahead. */
  void give(TaskState task, WorkerState worker) {
    task.graph.begin(task, turn.now());
    worker.take(task);
    task.begunMillis = turn.now();
    taken(task, worker);
    if (task.ahead) {
      task.graph.ahead().add(task);
    }
    turn.effect(
        new Effect.Start(
            worker.info.id(),
            task.id(),
            task.attempt,
            task.missingOutputs(),
            task.needs,
            false,
            watcher.given(task, worker.info)));
  }

  /**
   * A task that nobody has is a worker's, for an earlier dispatcher gave it an attempt.
   *
   * @param since when it did, in milliseconds since the epoch
   */
  void adopt(TaskState task, WorkerState worker, int attempt, long since) {
    int attempts = Math.max(task.attempts, attempt);
    task.graph.begin(task, since);
    task.attempt = attempt;
    task.attempts = attempts;
    task.readyMillis = since;
    worker.take(task);
    task.begunMillis = turn.now();
    adopted(task, worker);
    if (task.ahead) {
      task.graph.ahead().add(task);
    }
  }

  /** A worker has a second attempt at a task, which an earlier dispatcher gave it. */
  void adoptCopy(TaskState task, WorkerState worker, int attempt, long since) {
    task.attempts = Math.max(task.attempts, attempt);
    task.twin = new AttemptRef(worker, attempt, since, turn.now(), false);
    worker.takeCopy(task);
    adopted(task, worker);
  }

  private void taken(TaskState task, WorkerState worker) {
    task.graph.attemptsInHand++;
    task.graph.coresInHand += task.cores;
    crew.changed(worker);
  }

  private void adopted(TaskState task, WorkerState worker) {
    taken(task, worker);
    // What was copied for it, if anything was, its worker knows.
    List<String> unused = watcher.given(task, worker.info);
  }

  /** A worker that can start it at once makes a second attempt at a task. */
  void copy(SpeculationPolicy.Copy copy) {
    TaskState task = copy.task();
    WorkerState worker = copy.worker();
    task.startTwin(worker, turn.now());
    worker.takeCopy(task);
    taken(task, worker);
    turn.effect(
        new Effect.Start(
            worker.info.id(),
            task.id(),
            task.attempts,
            task.missingOutputs(),
            task.needs,
            true,
            watcher.given(task, worker.info)));
  }

  /** A task that a worker has ahead is asked back for another. */
  void recall(TaskState task, WorkerState taker) {
    taker.awaited = task;
    task.awaitedBy = taker;
    recall(task);
  }

  /** A task that a worker has ahead is asked back; one whose command has begun goes on. */
  void recall(TaskState task) {
    task.graph.ahead().remove(task);
    WorkerState holder = task.worker;
    if (holder != null) {
      turn.effect(new Effect.Recall(holder.info.id(), task.id(), task.attempt));
    }
  }

  /** A worker has begun an attempt that it was asked for: who waits for it does so in vain. */
  void begun(String workerId, TaskState task, int attempt) {
    WorkerState holder = crew.get(workerId);
    if (holder != null && task.worker == holder && task.attempt == attempt) {
      task.awaitedNoLonger();
    }
  }

  /** A worker has a task no longer; what it had ahead may start in its place. */
  void takeFrom(WorkerState worker, TaskState task) {
    if (task.ahead && task.worker == worker) {
      task.graph.ahead().remove(task);
    }
    task.graph.attemptsInHand--;
    task.graph.coresInHand -= task.cores;
    watcher.left(task, worker.info);
    task.leftBy(worker);
    for (TaskState begun : worker.drop(task)) {
      begun.graph.ahead().remove(begun);
      begun.awaitedNoLonger();
      begun.begunMillis = turn.now();
    }
    worker.freeSince = turn.now();
    crew.changed(worker);
  }

  /** Changes what a task comes before, also among those that workers have ahead. */
  void prioritise(TaskState task, int priority) {
    TaskQueue ahead = task.graph.ahead();
    task.graph.prioritise(task, priority);
    if (ahead.contains(task)) {
      ahead.remove(task);
      task.priority = priority;
      ahead.add(task);
    }
    task.priority = priority;
  }

  /** All attempts at a task are stopped. */
  void stop(TaskState task) {
    if (task.worker != null) {
      task.graph.ahead().remove(task);
    }
    tellToStop(task, task.attempt, task.worker);
    stopTwin(task);
  }

  /** A second attempt is not wanted any more. */
  void stopTwin(TaskState task) {
    AttemptRef twin = task.twin;
    if (twin != null && !twin.stopping()) {
      tellToStop(task, twin.attempt(), twin.worker());
      task.stopTwin();
    }
  }

  /** The second of two attempts takes the place of the first, which is stopped. */
  void preferTwin(TaskState task) {
    tellToStop(task, task.attempt, task.worker);
    task.preferTwin();
  }

  private void tellToStop(TaskState task, int attempt, @Nullable WorkerState worker) {
    if (worker != null) {
      turn.effect(new Effect.Stop(worker.info.id(), task.id(), attempt));
    }
  }
}
