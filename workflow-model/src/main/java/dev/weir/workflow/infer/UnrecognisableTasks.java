package dev.weir.workflow.infer;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The tasks that a later run runs again although nothing has changed, for it cannot recognise what
 * they have read or made: tasks that read regions, or join them, what makes those regions, and
 * whatever reads what such tasks make. Immutable.
 */
final class UnrecognisableTasks {

  private final WorkflowGraph graph;

  /** Tasks that are not known by what they have read. */
  private final Set<String> unknown = new HashSet<>();

  /** Tasks that are known, but whose regions are gone with the joining. */
  private final Set<String> parts = new HashSet<>();

  private UnrecognisableTasks(WorkflowGraph graph) {
    this.graph = graph;
  }

  /** Those of a workflow. */
  static UnrecognisableTasks in(WorkflowGraph graph) {
    UnrecognisableTasks found = new UnrecognisableTasks(graph);
    for (Task task : graph.topologicalOrder()) {
      if (task.joinsRegions()) {
        task.inputs().stream()
            .flatMap(region -> graph.producer(region).stream())
            .forEach(maker -> found.parts.add(maker.id()));
      }
      if (readsOrJoinsRegions(task) || found.isMadeByOne(task.inputs())) {
        found.unknown.add(task.id());
      }
    }
    return found;
  }

  private static boolean readsOrJoinsRegions(Task task) {
    return task.joinsRegions() || !task.regions().isEmpty();
  }

  private boolean isMadeByOne(Collection<String> files) {
    return files.stream()
        .flatMap(file -> graph.producer(file).stream())
        .anyMatch(maker -> unknown.contains(maker.id()));
  }

  /**
   * Whether a later run wants a file for one of them. One that is made by one of them is made again
   * in any case, so that only those are wanted of which tasks read regions, or that are joined.
   */
  boolean needs(String file) {
    boolean madeAgain =
        graph
            .producer(file)
            .filter(maker -> !maker.joinsRegions())
            .filter(maker -> unknown.contains(maker.id()) || parts.contains(maker.id()))
            .isPresent();
    return graph.consumers(file).stream()
        .anyMatch(
            reader ->
                readsOrJoinsRegions(reader)
                    || (!madeAgain
                        && (unknown.contains(reader.id()) || parts.contains(reader.id()))));
  }
}
