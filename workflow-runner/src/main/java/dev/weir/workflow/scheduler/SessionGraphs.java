package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The graphs of a session by their ids. Not thread-safe. */
final class SessionGraphs {

  private static final Comparator<WorkflowState> MOST_URGENT_FIRST =
      Comparator.<WorkflowState>comparingInt(graph -> -graph.priority())
          .thenComparingInt(WorkflowState::assignedCores);

  private final Map<String, WorkflowState> graphs = new LinkedHashMap<>();

  void add(WorkflowState graph) {
    graphs.put(graph.id(), graph);
  }

  void remove(WorkflowState graph) {
    graphs.remove(graph.id());
  }

  Collection<WorkflowState> all() {
    return Collections.unmodifiableCollection(graphs.values());
  }

  /** The graph of an id; null when it is not known. */
  @Nullable WorkflowState get(String id) {
    return graphs.get(id);
  }

  /**
   * Graphs that have not ended: those of higher priority first, then those with fewer assigned
   * cores.
   */
  List<WorkflowState> inOrder() {
    if (graphs.size() == 1) {
      WorkflowState only = graphs.values().iterator().next();
      return only.isOver() ? List.of() : List.of(only);
    }
    List<WorkflowState> order = new ArrayList<>(graphs.size());
    for (WorkflowState graph : graphs.values()) {
      if (!graph.isOver()) {
        order.add(graph);
      }
    }
    order.sort(MOST_URGENT_FIRST);
    return order;
  }

  /** Whether a graph that has not ended has a ready task. */
  boolean hasReady() {
    for (WorkflowState graph : graphs.values()) {
      if (!graph.isOver() && !graph.ready().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The task of a scoped id; null when it is not known. */
  @Nullable TaskState task(String scopedId) {
    WorkflowState graph = of(scopedId);
    return graph == null ? null : graph.taskOrNull(scopedId);
  }

  /** The file of a scoped id; empty when it is not known. */
  Stream<FileState> known(String scopedId) {
    WorkflowState graph = of(scopedId);
    return graph == null ? Stream.of() : graph.known(scopedId);
  }

  /**
   * The graph that a scoped id may belong to. Ids of the graph without a prefix may contain a
   * colon.
   */
  @Nullable WorkflowState of(String scopedId) {
    WorkflowState graph = graphs.get(ScopedId.graph(scopedId));
    return graph == null ? graphs.get("") : graph;
  }
}
