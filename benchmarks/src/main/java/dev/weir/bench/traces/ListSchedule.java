package dev.weir.bench.traces;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The makespan of a workflow without data transfers, by list scheduling: a free worker gets the
 * ready task with the longest path to the end, by the upward ranks of Topcuoglu, Hariri and Wu
 * (HEFT, IEEE TPDS 13(3), 2002). Another order may be shorter, but the result is usually close to a
 * lower bound.
 */
public final class ListSchedule {

  private final WorkflowGraph graph;
  private final Map<String, Double> ranks = new HashMap<>();
  private final Map<String, Integer> pendingParents = new HashMap<>();
  private final PriorityQueue<Task> ready =
      new PriorityQueue<>(
          Comparator.comparingDouble((Task task) -> -ranks.getOrDefault(task.id(), 0.0))
              .thenComparing(Task::id));

  /** Ordered by the end of the task. */
  private final PriorityQueue<Running> running =
      new PriorityQueue<>(
          Comparator.comparingDouble(Running::end).thenComparing(r -> r.task().id()));

  private record Running(Task task, double end) {}

  private ListSchedule(WorkflowGraph graph) {
    this.graph = graph;
    List<Task> backwards = new ArrayList<>(graph.topologicalOrder());
    Collections.reverse(backwards);
    for (Task task : backwards) {
      double after =
          graph.children(task.id()).stream()
              .mapToDouble(child -> ranks.getOrDefault(child.id(), 0.0))
              .max()
              .orElse(0);
      ranks.put(task.id(), task.runtimeSeconds() + after);
    }
  }

  /**
   * Returns the makespan.
   *
   * @param workers the number of workers, each with one task at a time, at least 1
   * @return seconds from the start of the first task to the end of the last
   */
  public static double seconds(Workflow workflow, int workers) {
    return new ListSchedule(workflow.graph()).makespan(workers);
  }

  private double makespan(int workers) {
    for (Task task : graph.topologicalOrder()) {
      int parents = graph.parents(task.id()).size();
      pendingParents.put(task.id(), parents);
      if (parents == 0) {
        ready.add(task);
      }
    }
    double now = 0;
    while (!ready.isEmpty() || !running.isEmpty()) {
      while (!ready.isEmpty() && running.size() < workers) {
        Task task = ready.remove();
        running.add(new Running(task, now + task.runtimeSeconds()));
      }
      Running first = running.remove();
      now = first.end();
      for (Task child : graph.children(first.task().id())) {
        if (pendingParents.merge(child.id(), -1, Integer::sum) == 0) {
          ready.add(child);
        }
      }
    }
    return now;
  }
}
