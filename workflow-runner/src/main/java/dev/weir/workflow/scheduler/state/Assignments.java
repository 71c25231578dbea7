package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.scheduler.api.Effect;
import org.jspecify.annotations.Nullable;

/**
 * Assigns tasks to workers, and creates the effects that start, recall and stop attempts. Not
 * thread-safe.
 */
public final class Assignments {

  private final WorkerSet workers;
  private final StepBuilder stepBuilder;

  public Assignments(WorkerSet workers, StepBuilder stepBuilder) {
    this.workers = workers;
    this.stepBuilder = stepBuilder;
  }

  /** Assigns a ready task to a worker, which starts it or has it ahead. */
  public void assign(TaskState task, WorkerState worker) {
    task.graph().readyTasks().begin(task, stepBuilder.now());
    take(task, worker);
    start(task, worker, task.attempt(), false);
  }

  /**
   * Restores an assignment by an earlier dispatcher.
   *
   * @param since when the task was assigned, in milliseconds since the epoch
   */
  public void adopt(TaskState task, WorkerState worker, int attempt, long since) {
    int attempts = Math.max(task.attempts(), attempt);
    task.graph().readyTasks().begin(task, since);
    task.restoreAttempt(attempt, attempts, since);
    take(task, worker);
  }

  /** Restores the assignment of a second copy by an earlier dispatcher. */
  public void adoptCopy(TaskState task, WorkerState worker, int attempt, long since) {
    task.restoreSecondCopy(new AttemptRef(worker, attempt, since, stepBuilder.now(), false));
    worker.occupy(task);
    countAssigned(task, worker);
  }

  private void take(TaskState task, WorkerState worker) {
    worker.take(task);
    task.markBegun(stepBuilder.now());
    countAssigned(task, worker);
    if (task.isAhead()) {
      task.graph().ahead().add(task);
    }
  }

  private void start(TaskState task, WorkerState worker, int attempt, boolean copy) {
    stepBuilder.effect(
        new Effect.Start(
            worker.info().id(),
            task.id(),
            attempt,
            task.missingOutputs(),
            task.needs(),
            copy,
            task.stores(),
            task.failures()));
  }

  private void countAssigned(TaskState task, WorkerState worker) {
    task.graph().countAssigned(task);
    workers.changed(worker);
  }

  /** Starts a second copy of a task. */
  public void copy(TaskState task, WorkerState worker) {
    task.startSecondCopy(worker, stepBuilder.now());
    worker.occupy(task);
    countAssigned(task, worker);
    start(task, worker, task.attempts(), true);
  }

  /** Takes a task ahead back for another worker. */
  public void recall(TaskState task, WorkerState target) {
    task.recallFor(target);
    recall(task);
  }

  /** Takes a task ahead back, unless its command has begun. */
  public void recall(TaskState task) {
    task.graph().ahead().remove(task);
    WorkerState holder = task.worker();
    if (holder != null) {
      stepBuilder.effect(new Effect.Recall(holder.info().id(), task.id(), task.attempt()));
    }
  }

  /** Ends the recall of an attempt that a worker has begun. */
  public void begun(String workerId, TaskState task, int attempt) {
    WorkerState holder = workers.get(workerId);
    if (holder != null && task.worker() == holder && task.attempt() == attempt) {
      task.clearRecall();
    }
  }

  /** Removes a task from a worker; tasks ahead may start in its place. */
  public void unassign(WorkerState worker, TaskState task) {
    if (task.isAhead() && task.worker() == worker) {
      task.graph().ahead().remove(task);
    }
    task.graph().countUnassigned(task);
    task.removeFrom(worker);
    for (TaskState begun : worker.drop(task)) {
      begun.graph().ahead().remove(begun);
      begun.clearRecall();
      begun.markBegun(stepBuilder.now());
    }
    worker.resetFreeSince(stepBuilder.now());
    workers.changed(worker);
  }

  /** Changes the priority of a task, also if it is ahead. */
  public void prioritise(TaskState task, int priority) {
    TaskQueue ahead = task.graph().ahead();
    task.graph().prioritise(task, priority);
    if (ahead.contains(task)) {
      ahead.remove(task);
      task.setPriority(priority);
      ahead.add(task);
    }
    task.setPriority(priority);
  }

  /** Stops all attempts at a task. */
  public void stop(TaskState task) {
    if (task.worker() != null) {
      task.graph().ahead().remove(task);
    }
    sendStop(task, task.attempt(), task.worker());
    stopSecondCopy(task);
  }

  /** Stops the second copy, if there is one. */
  public void stopSecondCopy(TaskState task) {
    AttemptRef secondCopy = task.secondCopy();
    if (secondCopy != null && !secondCopy.stopping()) {
      sendStop(task, secondCopy.attempt(), secondCopy.worker());
      task.stopSecondCopy();
    }
  }

  /** Makes the second copy the main attempt, and stops the other one. */
  public void preferSecondCopy(TaskState task) {
    sendStop(task, task.attempt(), task.worker());
    task.preferSecondCopy();
  }

  private void sendStop(TaskState task, int attempt, @Nullable WorkerState worker) {
    if (worker != null) {
      stepBuilder.effect(new Effect.Stop(worker.info().id(), task.id(), attempt));
    }
  }
}
