package dev.weir.bench.workload;

import dev.weir.workflow.model.Task;
import java.util.List;

/** Tasks like others but for what is named. Needs, and regions of inputs, are kept. */
public final class TaskCopies {
  private TaskCopies() {}

  /**
   * A task that comes after others than the original does.
   *
   * @param after ids of all tasks that must end first although no file passes between them
   */
  public static Task after(Task task, List<String> after) {
    return copy(task, task.id(), task.type(), after, task.runtimeSeconds());
  }

  /** A task that computes for other seconds, 0 when unknown. */
  public static Task lasting(Task task, double seconds) {
    return copy(task, task.id(), task.type(), task.after(), seconds);
  }

  /** A task with another id and another type. */
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
