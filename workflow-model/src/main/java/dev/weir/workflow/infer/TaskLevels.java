package dev.weir.workflow.infer;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashMap;
import java.util.Map;

/** The level of each task: the number of tasks before it on the longest path. */
final class TaskLevels {

  private final Map<String, Integer> levels = new HashMap<>();

  private TaskLevels() {}

  static TaskLevels of(WorkflowGraph graph) {
    TaskLevels found = new TaskLevels();
    for (Task task : graph.topologicalOrder()) {
      int level = 0;
      for (Task parent : graph.parents(task.id())) {
        level = Math.max(level, found.of(parent) + 1);
      }
      found.levels.put(task.id(), level);
    }
    return found;
  }

  /** Returns the level of a task; 0 for one that waits for no other. */
  int of(Task task) {
    return levels.getOrDefault(task.id(), 0);
  }
}
