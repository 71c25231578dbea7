package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.TaskGlob;
import dev.weir.workflow.scheduler.state.Assignments;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayDeque;
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
 * Pauses, prioritises, drops and restores the tasks of a graph. A task is dropped because it failed
 * permanently or was cancelled, or because it needs the output of such a task. Not thread-safe.
 */
final class SteeringHandler {

  private static final int SHOWN = 3;

  private final WorkflowState graph;
  private final Assignments assignments;
  private final Set<String> applied = new HashSet<>();
  private final Map<String, Progress.Failed> lastAttempts = new LinkedHashMap<>();
  private @Nullable RunFailure firstFailure;

  SteeringHandler(WorkflowState graph) {
    this.graph = graph;
    this.assignments = graph.session().assignments();
  }

  /** Remembers a request that another part applies. */
  void markApplied(String id) {
    applied.add(id);
  }

  boolean wasApplied(String id) {
    return applied.contains(id);
  }

  /**
   * Applies a request about tasks.
   *
   * @return how many tasks it changed
   */
  int apply(String id, Steering request, long now) {
    applied.add(id);
    TaskGlob glob = new TaskGlob(request.tasks());
    return switch (request.action()) {
      case PAUSE -> pause(glob);
      case RESUME -> resume(glob, now);
      case CANCEL -> cancel(matching(glob, task -> !task.settled()));
      case PRIORITISE ->
          glob.isAll() ? prioritise(request.priority()) : prioritise(glob, request.priority());
      case RETRY -> retry(glob, now);
      case SHOW_LOG, TAKE_RUN, ADD_TASKS -> 0;
    };
  }

  private List<TaskState> matching(TaskGlob glob, Predicate<TaskState> which) {
    return graph.all().stream().filter(which).filter(task -> matches(glob, task)).toList();
  }

  /** Whether a pattern matches a task or the task that stands for a sub-workflow around it. */
  private static boolean matches(TaskGlob glob, TaskState task) {
    TaskState enclosing = task.enclosing();
    return glob.matches(task.task()) || (enclosing != null && matches(glob, enclosing));
  }

  private int pause(TaskGlob glob) {
    if (glob.isAll()) {
      graph.readyTasks().pause(true);
    }
    List<TaskState> tasks = matching(glob, task -> !task.settled());
    for (TaskState task : tasks) {
      if (!glob.isAll()) {
        task.setHeld(true);
      }
      graph.readyTasks().putBack(task);
      if (graph.ahead().contains(task)) {
        assignments.recall(task);
      }
    }
    return tasks.size();
  }

  /**
   * Returns how many unsettled tasks may start again. Of named tasks it counts also those that were
   * not paused.
   */
  private int resume(TaskGlob glob, long now) {
    boolean paused = graph.readyTasks().paused();
    if (glob.isAll()) {
      graph.readyTasks().pause(false);
    }
    int resumed = 0;
    // Also settled tasks: they may have to run again.
    for (TaskState task : matching(glob, task -> true)) {
      resumed += !task.settled() && (paused || task.isHeld() || !glob.isAll()) ? 1 : 0;
      task.setHeld(false);
      graph.readyTasks().offer(task, now);
    }
    return resumed;
  }

  /** Sets the priority of the graph among other graphs. */
  private int prioritise(int priority) {
    graph.setPriority(priority);
    return graph.size() - graph.done() - graph.dropped();
  }

  private int prioritise(TaskGlob glob, int priority) {
    int prioritised = 0;
    // Also settled tasks: if they ran again with the old priority, they would go last.
    for (TaskState task : matching(glob, task -> true)) {
      assignments.prioritise(task, priority);
      prioritised += task.settled() ? 0 : 1;
    }
    return prioritised;
  }

  /** Drops tasks and those that need their outputs. */
  private int cancel(List<TaskState> tasks) {
    int before = graph.dropped();
    for (TaskState task : tasks) {
      task.markCancelled();
      drop(task);
    }
    return graph.dropped() - before;
  }

  /** Cancels all tasks that are not settled. */
  int cancelAll() {
    return cancel(matching(new TaskGlob(""), task -> !task.settled()));
  }

  /** Cancels a task; one that is unknown or settled is ignored. */
  void cancel(String taskId) {
    TaskState task = graph.taskOrNull(taskId);
    if (task != null && !task.settled()) {
      cancel(List.of(task));
    }
  }

  /** Drops a task that has failed permanently; the run continues. */
  void giveUp(TaskState task, RunFailure failure, Progress.Failed last) {
    // In a graph that grows, each submitter asks for the status of its own task.
    if (!graph.grows() && lastAttempts.size() < GivenUp.MOST) {
      lastAttempts.put(task.id(), last);
    }
    if (firstFailure == null) {
      firstFailure = failure;
    }
    task.markFailed();
    drop(task);
  }

  private void drop(TaskState first) {
    Deque<TaskState> open = new ArrayDeque<>(List.of(first));
    while (!open.isEmpty()) {
      TaskState task = open.remove();
      if (task.settled()) {
        continue;
      }
      assignments.stop(task);
      graph.drop(task);
      record(task, first);
      open.addAll(task.dependents());
    }
  }

  private void record(TaskState task, TaskState first) {
    if (graph.grows()) {
      boolean cancelled = first.isRootCause() && !first.isFailed();
      StepBuilder stepBuilder = graph.session().stepBuilder();
      stepBuilder.record(
          new DispatchRecord.GivenUp(task.id(), first.id(), cancelled, stepBuilder.now()));
    }
  }

  private int retry(TaskGlob glob, long now) {
    List<TaskState> retried =
        matching(
            glob,
            task -> task.isRootCause() && (task.isFailed() || !glob.isAll()) && isDropped(task));
    retried.forEach(TaskState::resetFailures);
    retried.forEach(task -> lastAttempts.remove(task.id()));
    Set<TaskState> without = new HashSet<>();
    Deque<TaskState> open =
        new ArrayDeque<>(graph.all().stream().filter(SteeringHandler::isRoot).toList());
    while (!open.isEmpty()) {
      TaskState task = open.remove();
      if (isDropped(task) && without.add(task)) {
        open.addAll(task.dependents());
      }
    }
    int restored = 0;
    for (TaskState task : graph.all()) {
      if (isDropped(task) && !without.contains(task)) {
        graph.restore(task, now);
        restored++;
      }
    }
    if (graph.all().stream().noneMatch(TaskState::isFailed)) {
      firstFailure = null;
    }
    return restored;
  }

  /**
   * Drops tasks that can never run because files were lost: producers of lost files that come after
   * a dropped task, and readers of files whose producer is dropped.
   */
  void dropOrphans(Collection<FileState> lost) {
    for (FileState file : lost) {
      if (isOutOfReach(file)) {
        file.readers().forEach(this::drop);
      }
      TaskState producer = file.producer();
      if (producer != null && !producer.settled() && isOrphan(producer)) {
        drop(producer);
      }
    }
  }

  private static boolean isOrphan(TaskState task) {
    return task.inputs().stream().anyMatch(SteeringHandler::isOutOfReach)
        || task.task().after().stream()
            .map(task.graph()::taskNamed)
            .anyMatch(before -> before != null && isDropped(before));
  }

  private static boolean isOutOfReach(FileState file) {
    return !file.available() && file.producer() != null && isDropped(file.producer());
  }

  private static boolean isRoot(TaskState task) {
    return task.isRootCause() && isDropped(task);
  }

  private static boolean isDropped(TaskState task) {
    return task.status() == Status.DROPPED;
  }

  /** Returns the tasks that will not be done. Looks at every task. */
  GivenUp givenUp() {
    // The status is written each second, and in most runs no task fails.
    if (graph.grows() || firstFailure == null) {
      return GivenUp.NONE;
    }
    long failed = graph.all().stream().filter(task -> task.isFailed() && isDropped(task)).count();
    return failed == 0
        ? GivenUp.NONE
        : new GivenUp(graph.dropped(), Math.toIntExact(failed), List.copyOf(lastAttempts.values()));
  }

  /** Returns why a run whose tasks are all settled has not succeeded. */
  RunFailure failure() {
    if (firstFailure != null) {
      return firstFailure.with(givenUp());
    }
    List<String> named =
        graph.all().stream().filter(SteeringHandler::isRoot).map(task -> task.task().id()).toList();
    int dropped = graph.dropped();
    return RunFailure.ofRun(
        (dropped == 1 ? "1 task was" : dropped + " tasks were")
            + " cancelled: "
            + String.join(", ", named.subList(0, Math.min(SHOWN, named.size())))
            + (named.size() > SHOWN ? ", ..." : "")
            + (named.size() < dropped ? " and the tasks that need their files" : ""),
        "");
  }

  static String answer(Action action, int tasks) {
    String number = tasks == 1 ? "1 task" : tasks + " tasks";
    return switch (action) {
      case PAUSE -> number + " paused; running tasks continue";
      case RESUME -> number + " resumed";
      case CANCEL -> number + " cancelled";
      case PRIORITISE -> number + " with the new priority";
      case RETRY -> number + " to be retried";
      case SHOW_LOG, TAKE_RUN, ADD_TASKS -> "nothing changed";
    };
  }
}
