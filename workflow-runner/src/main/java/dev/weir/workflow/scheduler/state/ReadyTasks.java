package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.scheduler.state.TaskState.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The ready tasks of a graph. A task becomes ready when the graph has started and is not paused,
 * and the task is not paused, not delayed and has no missing inputs. Not thread-safe.
 */
public final class ReadyTasks {

  private final TaskQueue queue;
  private final TaskQueue dedicated;
  private final Predicate<TaskState> isOrdinary;
  private final List<TaskState> newlyReady = new ArrayList<>();
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(Comparator.comparingLong(Delayed::until));

  /** Tasks that stand for sub-workflows and can be expanded, or are done. */
  private List<TaskState> subWorkflows = new ArrayList<>();

  private long counter;
  private boolean started;
  private boolean paused;

  /** A delayed task; it may be in the queue several times. */
  private record Delayed(TaskState task, long until) {}

  /**
   * No ready tasks.
   *
   * @param queue for tasks that fit ordinary workers
   * @param dedicated for other tasks
   * @param isOrdinary whether a task fits ordinary workers; it may not any more after it was killed
   *     for memory
   */
  ReadyTasks(TaskQueue queue, TaskQueue dedicated, Predicate<TaskState> isOrdinary) {
    this.queue = queue;
    this.dedicated = dedicated;
    this.isOrdinary = isOrdinary;
  }

  /** Ready tasks that fit ordinary workers. */
  TaskQueue queue() {
    return queue;
  }

  /** Ready tasks that need dedicated workers. */
  public TaskQueue dedicated() {
    return dedicated;
  }

  private void add(TaskState task) {
    TaskQueue to = queueOf(task);
    to.add(task);
    if (to == queue) {
      newlyReady.add(task);
    }
  }

  private TaskQueue queueOf(TaskState task) {
    return isOrdinary.test(task) ? queue : dedicated;
  }

  private void remove(TaskState task) {
    queue.remove(task);
    dedicated.remove(task);
  }

  /** Starts the graph: tasks become ready from now on. */
  void start() {
    started = true;
  }

  /** Pauses or resumes the graph; tasks do not become ready while it is paused. */
  public void pause(boolean whether) {
    paused = whether;
  }

  public boolean paused() {
    return paused;
  }

  /**
   * Tasks that have become ready since the last call, in the order of the queue; some may not be
   * ready any more.
   */
  public List<TaskState> takeNewlyReady() {
    List<TaskState> taken = new ArrayList<>(newlyReady);
    taken.sort(queue.order());
    newlyReady.clear();
    return taken;
  }

  /** Tasks that stand for sub-workflows whose inputs have become available since the last call. */
  public List<TaskState> takeSubWorkflows() {
    if (subWorkflows.isEmpty()) {
      return List.of();
    }
    List<TaskState> taken = subWorkflows;
    subWorkflows = new ArrayList<>();
    return taken;
  }

  /** Makes a waiting task ready if it can start. */
  public void offer(TaskState task, long now) {
    if (task.status() != Status.WAITING) {
      return;
    }
    if (!started || paused || task.isHeld() || task.missing() > 0) {
      task.clearWait();
      return;
    }
    if (task.delayedUntil() > now) {
      task.clearWait();
      delayed.add(new Delayed(task, task.delayedUntil()));
      return;
    }
    if (task.isSubWorkflow()) {
      subWorkflows.add(task);
      return;
    }
    task.becomeReady(now);
    task.numberOnce(() -> ++counter);
    add(task);
  }

  /** Makes tasks ready whose delay is over. */
  public void offerDelayed(long now) {
    for (Delayed next = delayed.peek();
        next != null && next.until() <= now;
        next = delayed.peek()) {
      delayed.remove();
      offer(next.task(), now);
    }
  }

  /** Makes a ready task wait until it is offered again. */
  public void putBack(TaskState task) {
    if (task.status() == Status.READY) {
      remove(task);
      task.becomeWaiting();
      task.clearWait();
    }
  }

  /** Starts an attempt at a task, also one that an earlier dispatcher has assigned. */
  void begin(TaskState task, long now) {
    remove(task);
    task.numberOnce(() -> ++counter);
    task.startAttempt(now);
  }

  /** Changes the rank of a task. */
  void rank(TaskState task, double rank) {
    boolean isReady = task.status() == Status.READY;
    if (isReady) {
      remove(task);
    }
    task.raiseRank(rank);
    if (isReady) {
      queueOf(task).add(task);
    }
  }

  /** Changes the priority of a task, if it is ready. */
  void prioritise(TaskState task, int priority) {
    if (task.status() == Status.READY) {
      remove(task);
      task.setPriority(priority);
      add(task);
    }
  }
}
