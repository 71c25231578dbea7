package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The tasks that only a worker is missing for. A task becomes ready when nothing keeps it: once the
 * run has started, while it is not paused and the task is not held, when it has rested, and when it
 * misses nothing. Not thread-safe.
 */
final class ReadyTasks {

  private final TaskQueue queue;
  private final List<TaskState> fresh = new ArrayList<>();
  private final PriorityQueue<Resting> resting =
      new PriorityQueue<>(Comparator.comparingLong(Resting::until));
  private long counter;
  private boolean started;
  private boolean paused;

  /** A task that could be ready and is left alone for a while; it may be here several times. */
  private record Resting(TaskState task, long until) {}

  /** Keeps them in an empty queue. */
  ReadyTasks(TaskQueue queue) {
    this.queue = queue;
  }

  TaskQueue queue() {
    return queue;
  }

  /** Tasks become ready from now on. */
  void start() {
    started = true;
  }

  /** While it is paused nothing becomes ready. */
  void pause(boolean whether) {
    paused = whether;
  }

  boolean paused() {
    return paused;
  }

  /**
   * Tasks that have become ready since the last call, whether they still are or not; the one that
   * is wanted first at the front.
   */
  List<TaskState> takeFresh() {
    List<TaskState> taken = new ArrayList<>(fresh);
    taken.sort(queue.order());
    fresh.clear();
    return taken;
  }

  /** A task that waits is ready from now on when nothing keeps it. */
  void offer(TaskState task, long now) {
    if (task.status != Status.WAITING) {
      return;
    }
    if (!started || paused || task.held || task.missing > 0) {
      task.waitsForNoWorker();
      return;
    }
    if (task.restsUntil > now) {
      task.waitsForNoWorker();
      resting.add(new Resting(task, task.restsUntil));
      return;
    }
    task.status = Status.READY;
    task.readyMillis = now;
    if (task.readyNumber == 0) {
      task.readyNumber = ++counter;
    }
    queue.add(task);
    fresh.add(task);
  }

  /** Makes ready what has rested for long enough. */
  void wake(long now) {
    for (Resting next = resting.peek();
        next != null && next.until() <= now;
        next = resting.peek()) {
      resting.remove();
      offer(next.task(), now);
    }
  }

  /** One that is ready waits again, until it is offered. */
  void putBack(TaskState task) {
    if (task.status == Status.READY) {
      queue.remove(task);
      task.status = Status.WAITING;
      task.waitsForNoWorker();
    }
  }

  /** A task goes to a worker, or was a worker's before this run was carried on. */
  void begin(TaskState task, long now) {
    queue.remove(task);
    if (task.readyNumber == 0) {
      task.readyNumber = ++counter;
    }
    task.startAttempt(now);
  }

  /** Changes what a task comes before, if it is ready. */
  void prioritise(TaskState task, int priority) {
    if (task.status == Status.READY) {
      queue.remove(task);
      task.priority = priority;
      queue.add(task);
      fresh.add(task);
    }
  }
}
