package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranks of tasks. The rank is the longest chain of run times, in seconds, from the start of the
 * task to the end of the workflow, without waiting.
 */
final class Ranks {

  private Ranks() {}

  /** Returns the ranks of all tasks, by their ids. */
  static Map<String, Double> of(WorkflowGraph graph, TaskProfiles profiles) {
    Map<String, Double> ranks = new HashMap<>();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      double below = 0;
      for (Task child : graph.children(task.id())) {
        below = Math.max(below, ranks.getOrDefault(child.id(), 0.0));
      }
      ranks.put(task.id(), cost(graph, task, profiles) + below);
    }
    return ranks;
  }

  private static double cost(WorkflowGraph graph, Task task, TaskProfiles profiles) {
    long bytes = 0;
    for (String input : task.inputs()) {
      bytes += graph.bytesRead(task, input);
    }
    for (String output : task.outputs()) {
      bytes += graph.file(output).sizeBytes();
    }
    return seconds(task, profiles) + bytes / ReadRate.ASSUMED;
  }

  /** The run time of a task in seconds: as declared, else that of its type, else 1 s. */
  static double seconds(Task task, TaskProfiles profiles) {
    return task.runtimeSeconds() > 0
        ? task.runtimeSeconds()
        : profiles.of(task.type()).map(TaskProfiles.Profile::runSeconds).orElse(1.0);
  }
}
