package dev.weir.workflow.infer;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds tasks that can only run one after another. All of them can run on one node, so the files
 * that they share need no other replica.
 */
final class SerialTasks {
  private final WorkflowGraph graph;
  private final Map<String, Integer> levels;

  SerialTasks(WorkflowGraph graph) {
    this.graph = graph;
    this.levels = graph.levels();
  }

  /** Returns whether there are several tasks and each waits for the one before. */
  boolean areSerial(List<Task> tasks) {
    Set<Integer> seen = new HashSet<>();
    if (tasks.size() < 2 || !tasks.stream().allMatch(task -> seen.add(level(task)))) {
      return false;
    }
    List<Task> order = new ArrayList<>(tasks);
    order.sort(Comparator.comparingInt(this::level));
    for (int i = 1; i < order.size(); i++) {
      if (!comesAfter(order.get(i), order.get(i - 1))) {
        return false;
      }
    }
    return true;
  }

  private int level(Task task) {
    return levels.getOrDefault(task.id(), 0);
  }

  private boolean comesAfter(Task later, Task earlier) {
    Deque<Task> open = new ArrayDeque<>(List.of(later));
    Set<String> seen = new HashSet<>();
    while (!open.isEmpty()) {
      for (Task parent : graph.parents(open.remove().id())) {
        if (parent.id().equals(earlier.id())) {
          return true;
        }
        if (level(parent) > level(earlier) && seen.add(parent.id())) {
          open.add(parent);
        }
      }
    }
    return false;
  }
}
