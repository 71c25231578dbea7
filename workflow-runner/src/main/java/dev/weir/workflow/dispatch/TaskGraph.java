package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow with its upward ranks: for each task the seconds from its start to the end of the
 * workflow along the longest way, with no waiting. Immutable.
 */
final class TaskGraph {

  /** For estimates where nothing was measured: what a local disk does at least. */
  private static final double BYTES_PER_SECOND = 100e6;

  private final WorkflowGraph graph;
  private final Map<String, Double> ranks = new HashMap<>();

  TaskGraph(Workflow workflow) {
    this.graph = workflow.graph();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      double below = 0;
      for (Task child : graph.children(task.id())) {
        below = Math.max(below, rank(child.id()));
      }
      ranks.put(task.id(), cost(task) + below);
    }
  }

  private double cost(Task task) {
    long bytes = 0;
    for (String input : task.inputs()) {
      bytes += graph.file(input).sizeBytes();
    }
    for (String output : task.outputs()) {
      bytes += graph.file(output).sizeBytes();
    }
    return task.runtimeSeconds() + bytes / BYTES_PER_SECOND;
  }

  double rank(String task) {
    return ranks.getOrDefault(task, 0.0);
  }

  Iterable<DataFile> files() {
    return graph.workflow().files().values();
  }

  WorkflowGraph graph() {
    return graph;
  }
}
