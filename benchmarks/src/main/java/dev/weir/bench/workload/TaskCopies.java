package dev.weir.bench.workload;

import dev.weir.workflow.model.Task;
import java.util.List;

/** Copies tasks with changes. Requirements and regions of inputs are kept. */
public final class TaskCopies {
  private TaskCopies() {}

  /**
   * Returns a copy with other predecessors.
   *
   * @param after ids of all tasks that must end first although no file passes between them
   */
  public static Task after(Task task, List<String> after) {
    return copy(task, task.id(), task.type(), after, task.runtimeSeconds());
  }

  /** Returns a copy that computes for other seconds; 0 if unknown. */
  public static Task lasting(Task task, double seconds) {
    return copy(task, task.id(), task.type(), task.after(), seconds);
  }

  /** Returns a copy with another id and another type. */
  static Task named(Task task, String id, String type) {
    return copy(task, id, type, task.after(), task.runtimeSeconds());
  }

  private static Task copy(
      Task task, String id, String type, List<String> after, double runtimeSeconds) {
    return new Task(
        id,
        type,
        task.command(),
        task.inputs(),
        task.outputs(),
        after,
        runtimeSeconds,
        task.needs(),
        task.regions());
  }
}
