package dev.weir.workflow.scheduler;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What is told of all tasks that are not settled without looking at each: how many workers they
 * would fill, and which priorities they have. Not thread-safe.
 */
final class OpenTasks {

  private final WorkerSize size;

  /** How many have each priority. */
  private final NavigableMap<Integer, Integer> byPriority = new TreeMap<>();

  /** The workers that they would fill. */
  private double load;

  OpenTasks(WorkerSize size) {
    this.size = size;
  }

  /** A task is not settled, or not any more. */
  void add(TaskState task) {
    load += size.share(task.needs);
    byPriority.merge(task.priority, 1, Integer::sum);
  }

  /** A task is settled. */
  void remove(TaskState task) {
    load -= size.share(task.needs);
    removeOneOf(task.priority);
  }

  private void removeOneOf(int priority) {
    byPriority.computeIfPresent(priority, (same, count) -> count == 1 ? null : count - 1);
  }

  /** One of them is to have another priority. */
  void prioritise(TaskState task, int priority) {
    removeOneOf(task.priority);
    byPriority.merge(priority, 1, Integer::sum);
  }

  /** A task, settled or not, was killed for want of memory: its next attempt needs more. */
  void starved(TaskState task) {
    double before = size.share(task.needs);
    task.starvedWith(size);
    if (!task.settled()) {
      load += size.share(task.needs) - before;
    }
  }

  /** How many workers they would keep busy, were all ready. */
  double wantedWorkers() {
    return load;
  }

  /**
   * Whether somebody wants one of them before others, wherever its bytes are: where all have one
   * priority there is none that it could come before.
   */
  boolean isUrgent(TaskState task) {
    return task.priority > 0 && !byPriority.headMap(task.priority).isEmpty();
  }
}
