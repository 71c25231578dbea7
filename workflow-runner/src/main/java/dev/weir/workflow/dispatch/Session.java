package dev.weir.workflow.dispatch;

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
final class Session {

  private static final Comparator<Board> MOST_URGENT_FIRST =
      Comparator.<Board>comparingInt(graph -> -graph.priority)
          .thenComparingInt(graph -> graph.coresInHand);

  private final Map<String, Board> graphs = new LinkedHashMap<>();

  void add(Board graph) {
    graphs.put(graph.id, graph);
  }

  void remove(Board graph) {
    graphs.remove(graph.id);
  }

  Collection<Board> all() {
    return Collections.unmodifiableCollection(graphs.values());
  }

  /** The graph of an id; null when it is not known. */
  @Nullable Board get(String id) {
    return graphs.get(id);
  }

  /** Graphs that go on: those of higher priority first, then those that have fewer cores. */
  List<Board> inOrder() {
    if (graphs.size() == 1) {
      Board only = graphs.values().iterator().next();
      return only.over ? List.of() : List.of(only);
    }
    List<Board> order = new ArrayList<>(graphs.size());
    for (Board graph : graphs.values()) {
      if (!graph.over) {
        order.add(graph);
      }
    }
    order.sort(MOST_URGENT_FIRST);
    return order;
  }

  /** Whether a task of a graph that goes on is ready. */
  boolean hasReady() {
    for (Board graph : graphs.values()) {
      if (!graph.over && !graph.ready().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The task of a scoped id; null when it is not known. */
  @Nullable TaskState task(String scopedId) {
    Board graph = of(scopedId);
    return graph == null ? null : graph.taskOrNull(scopedId);
  }

  /** The file of a scoped id; none when it is not known. */
  Stream<FileState> known(String scopedId) {
    Board graph = of(scopedId);
    return graph == null ? Stream.of() : graph.known(scopedId);
  }

  /** The graph that a scoped id may be of; ids without a graph may have a colon of their own. */
  @Nullable Board of(String scopedId) {
    Board graph = graphs.get(ScopedId.graph(scopedId));
    return graph == null ? graphs.get("") : graph;
  }
}
