package dev.weir.workflow.infer;

import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The tasks that a later run repeats although nothing has changed, because it cannot identify their
 * inputs or outputs. These are tasks that read or join regions, tasks that write joined regions,
 * and all tasks that read the outputs of such tasks. Immutable.
 */
final class UnrecognisableTasks {

  private final WorkflowGraph graph;

  /** Tasks that cannot be identified by their inputs. */
  private final Set<String> unknown = new HashSet<>();

  /** Tasks that can be identified, but whose output regions were removed by a join. */
  private final Set<String> parts = new HashSet<>();

  private UnrecognisableTasks(WorkflowGraph graph) {
    this.graph = graph;
  }

  static UnrecognisableTasks in(WorkflowGraph graph) {
    UnrecognisableTasks found = new UnrecognisableTasks(graph);
    for (Task task : graph.topologicalOrder()) {
      if (task.joinsRegions()) {
        task.inputs().stream()
            .flatMap(region -> graph.producer(region).stream())
            .forEach(producer -> found.parts.add(producer.id()));
      }
      if (readsOrJoinsRegions(task)
          || SubWorkflow.is(task.command())
          || found.areWrittenByUnknown(task.inputs())) {
        found.unknown.add(task.id());
      }
    }
    return found;
  }

  private static boolean readsOrJoinsRegions(Task task) {
    return task.joinsRegions() || !task.regions().isEmpty();
  }

  private boolean areWrittenByUnknown(Collection<String> files) {
    return files.stream()
        .flatMap(file -> graph.producer(file).stream())
        .anyMatch(producer -> unknown.contains(producer.id()));
  }

  /**
   * Returns whether a later run needs a file for one of these tasks. A file that one of these tasks
   * writes is written again in any case. It is needed only if a task reads regions of it, or if it
   * is joined.
   */
  boolean needs(String file) {
    boolean madeAgain =
        graph
            .producer(file)
            .filter(producer -> !producer.joinsRegions())
            .filter(producer -> unknown.contains(producer.id()) || parts.contains(producer.id()))
            .isPresent();
    return graph.consumers(file).stream()
        .anyMatch(
            reader ->
                readsOrJoinsRegions(reader)
                    || (!madeAgain
                        && (unknown.contains(reader.id()) || parts.contains(reader.id()))));
  }
}
