package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.Steering.Action;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What people do to a run: tasks that are held back, put first, dropped, and taken up again. A task
 * is dropped for its own sake, because it failed for good or was cancelled, or because it needs
 * what such a task would have made. Not thread-safe.
 */
final class SteeringHandler {

  private static final int SHOWN = 3;

  private final WorkflowState board;
  private final Assignments hands;
  private final StepBuilder turn;
  private final Set<String> followed = new HashSet<>();
  private final Map<String, Progress.Failed> lastAttempts = new LinkedHashMap<>();
  private @Nullable RunFailure firstFailure;

  /** A helm; where tasks are added somebody waits for each, and what is dropped is recorded. */
  SteeringHandler(SchedulerContext scene) {
    this.board = scene.board();
    this.hands = scene.hands();
    this.turn = scene.turn();
  }

  /** Whether a wish was followed before. */
  boolean knows(String id) {
    return followed.contains(id);
  }

  /**
   * Follows a wish that is about tasks.
   *
   * @return how many tasks it is about
   */
  int follow(String id, Steering wish, long now) {
    followed.add(id);
    TaskGlob glob = new TaskGlob(wish.tasks());
    return switch (wish.action()) {
      case PAUSE -> pause(glob);
      case RESUME -> resume(glob, now);
      case CANCEL -> cancel(matching(glob, task -> !task.settled()));
      case PRIORITISE ->
          glob.isAll() ? prioritise(wish.priority()) : prioritise(glob, wish.priority());
      case RETRY -> retry(glob, now);
      case SHOW_LOG -> 0;
    };
  }

  private List<TaskState> matching(TaskGlob glob, Predicate<TaskState> which) {
    return board.all().stream().filter(which).filter(task -> glob.matches(task.task)).toList();
  }

  private int pause(TaskGlob glob) {
    if (glob.isAll()) {
      board.pause(true);
    }
    List<TaskState> tasks = matching(glob, task -> !task.settled());
    for (TaskState task : tasks) {
      task.held |= !glob.isAll();
      board.putBack(task);
      if (board.ahead().contains(task)) {
        hands.recall(task);
      }
    }
    return tasks.size();
  }

  /** Returns how many may be begun again; of tasks that are named, how many may from now on. */
  private int resume(TaskGlob glob, long now) {
    boolean paused = board.paused();
    if (glob.isAll()) {
      board.pause(false);
    }
    int resumed = 0;
    // Also what is done or dropped now: it may have to be done after all.
    for (TaskState task : matching(glob, task -> true)) {
      resumed += !task.settled() && (paused || task.held || !glob.isAll()) ? 1 : 0;
      task.held = false;
      board.wake(task, now);
    }
    return resumed;
  }

  /** The graph as a whole goes before, or after, others. */
  private int prioritise(int priority) {
    board.priority = priority;
    return board.size() - board.done() - board.dropped();
  }

  private int prioritise(TaskGlob glob, int priority) {
    int prioritised = 0;
    // Also what is done or dropped now: it would come behind all others if it had to be done again.
    for (TaskState task : matching(glob, task -> true)) {
      hands.prioritise(task, priority);
      prioritised += task.settled() ? 0 : 1;
    }
    return prioritised;
  }

  /** Somebody does not want these, nor what needs them. */
  private int cancel(List<TaskState> tasks) {
    int before = board.dropped();
    for (TaskState task : tasks) {
      task.root = true;
      drop(task);
    }
    return board.dropped() - before;
  }

  /** Somebody wants none of the tasks that are not settled. */
  int cancelAll() {
    return cancel(matching(new TaskGlob(""), task -> !task.settled()));
  }

  /** Somebody does not want a task; nothing happens when it is not known or is settled. */
  void cancel(String taskId) {
    TaskState task = board.taskOrNull(taskId);
    if (task != null && !task.settled()) {
      cancel(List.of(task));
    }
  }

  /** A task has failed for good, and the run is to go on without it. */
  void giveUp(TaskState task, RunFailure failure, Progress.Failed last) {
    // Where tasks are added, whoever has added one asks for it alone.
    if (!board.grows && lastAttempts.size() < GivenUp.MOST) {
      lastAttempts.put(task.id(), last);
    }
    if (firstFailure == null) {
      firstFailure = failure;
    }
    task.root = true;
    task.failed = true;
    drop(task);
  }

  private void drop(TaskState first) {
    Deque<TaskState> open = new ArrayDeque<>(List.of(first));
    while (!open.isEmpty()) {
      TaskState task = open.remove();
      if (task.settled()) {
        continue;
      }
      hands.stop(task);
      board.drop(task);
      record(task, first);
      open.addAll(task.dependents());
    }
  }

  private void record(TaskState task, TaskState first) {
    if (board.grows) {
      boolean cancelled = first.root && !first.failed;
      turn.record(new DispatchRecord.GivenUp(task.id(), first.id(), cancelled, turn.now()));
    }
  }

  private int retry(TaskGlob glob, long now) {
    List<TaskState> again =
        matching(glob, task -> task.root && (task.failed || !glob.isAll()) && isDropped(task));
    again.forEach(TaskState::forgetFailures);
    again.forEach(task -> lastAttempts.remove(task.id()));
    Set<TaskState> without = new HashSet<>();
    Deque<TaskState> open =
        new ArrayDeque<>(board.all().stream().filter(SteeringHandler::isRoot).toList());
    while (!open.isEmpty()) {
      TaskState task = open.remove();
      if (isDropped(task) && without.add(task)) {
        open.addAll(task.dependents());
      }
    }
    int restored = 0;
    for (TaskState task : board.all()) {
      if (isDropped(task) && !without.contains(task)) {
        board.restore(task, now);
        restored++;
      }
    }
    if (board.all().stream().noneMatch(task -> task.failed)) {
      firstFailure = null;
    }
    return restored;
  }

  /**
   * Tasks that cannot be done any more because files were lost are dropped, too: those that are to
   * make one again and need a dropped task to be done before, and those that read what a dropped
   * task had made before it was dropped.
   */
  void dropOrphans(Collection<FileState> lost) {
    for (FileState file : lost) {
      if (isOutOfReach(file)) {
        file.readers.forEach(this::drop);
      }
      TaskState maker = file.producer;
      if (maker != null && !maker.settled() && isOrphan(maker)) {
        drop(maker);
      }
    }
  }

  private static boolean isOrphan(TaskState task) {
    return task.inputs.stream().anyMatch(SteeringHandler::isOutOfReach)
        || task.task.after().stream()
            .map(task.graph::taskNamed)
            .anyMatch(before -> before != null && isDropped(before));
  }

  private static boolean isOutOfReach(FileState file) {
    return !file.available() && file.producer != null && isDropped(file.producer);
  }

  private static boolean isRoot(TaskState task) {
    return task.root && isDropped(task);
  }

  private static boolean isDropped(TaskState task) {
    return task.status == Status.DROPPED;
  }

  /** What will not be done; looks at every task. */
  GivenUp givenUp() {
    // It is asked each second, and of most runs nothing has failed.
    if (board.grows || firstFailure == null) {
      return GivenUp.NONE;
    }
    long failed = board.all().stream().filter(task -> task.failed && isDropped(task)).count();
    return failed == 0
        ? GivenUp.NONE
        : new GivenUp(board.dropped(), Math.toIntExact(failed), List.copyOf(lastAttempts.values()));
  }

  /** Why a run that did all it could is no success. */
  RunFailure failure() {
    if (firstFailure != null) {
      return firstFailure.with(givenUp());
    }
    List<String> named = ids(board.all(), SteeringHandler::isRoot);
    int dropped = board.dropped();
    return RunFailure.ofRun(
        (dropped == 1 ? "1 task was" : dropped + " tasks were")
            + " cancelled: "
            + String.join(", ", named.subList(0, Math.min(SHOWN, named.size())))
            + (named.size() > SHOWN ? ", ..." : "")
            + (named.size() < dropped ? " and what needs their files" : ""),
        "");
  }

  private static List<String> ids(Collection<TaskState> tasks, Predicate<TaskState> which) {
    List<String> ids = new ArrayList<>();
    for (TaskState task : tasks) {
      if (which.test(task)) {
        ids.add(task.task.id());
      }
    }
    return ids;
  }

  /** What to tell whoever wished for it. */
  static String answer(Action action, int tasks) {
    String number = tasks == 1 ? "1 task" : tasks + " tasks";
    return switch (action) {
      case PAUSE -> number + " paused; what runs goes on to its end";
      case RESUME -> number + " resumed";
      case CANCEL -> number + " cancelled";
      case PRIORITISE -> number + " have the new priority";
      case RETRY -> number + " to be tried again";
      case SHOW_LOG -> "nothing changed";
    };
  }
}
