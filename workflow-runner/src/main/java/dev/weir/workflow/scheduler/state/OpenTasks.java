package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Totals over unsettled tasks, without a look at each: how many ordinary workers they would fill,
 * and their priorities. Not thread-safe.
 */
final class OpenTasks {

  private final WorkerSize size;

  private final NavigableMap<Integer, Integer> byPriority = new TreeMap<>();

  /** How many workers they would fill. */
  private double load;

  OpenTasks(WorkerSize size) {
    this.size = size;
  }

  /** Adds an unsettled task. */
  void add(TaskState task) {
    load += share(task);
    byPriority.merge(task.priority(), 1, Integer::sum);
  }

  /** Removes a settled task. */
  void remove(TaskState task) {
    load -= share(task);
    removeOneOf(task.priority());
  }

  private double share(TaskState task) {
    return !task.isSubWorkflow() && size.fits(task.needs()) ? size.share(task.needs()) : 0;
  }

  private void removeOneOf(int priority) {
    byPriority.computeIfPresent(priority, (same, count) -> count == 1 ? null : count - 1);
  }

  /** Changes the priority of a task. */
  void prioritise(TaskState task, int priority) {
    removeOneOf(task.priority());
    byPriority.merge(priority, 1, Integer::sum);
  }

  /** Raises the needs of a task, settled or not, that was killed for memory. */
  void memoryExceeded(TaskState task) {
    double before = share(task);
    task.raiseNeeds(size);
    if (!task.settled()) {
      load += share(task) - before;
    }
  }

  /** How many workers they would keep busy if all were ready. */
  double wantedWorkers() {
    return load;
  }

  /**
   * Whether a user put a task before others, wherever its bytes are. When all tasks have the same
   * priority, none is before others.
   */
  boolean isUrgent(TaskState task) {
    return task.priority() > 0 && !byPriority.headMap(task.priority()).isEmpty();
  }
}
