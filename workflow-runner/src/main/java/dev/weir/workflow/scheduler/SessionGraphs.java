package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The graphs of a session by their ids, and what they share. Not thread-safe. */
final class SessionGraphs {

  private static final Comparator<GraphRun> MOST_URGENT_FIRST =
      Comparator.<GraphRun>comparingInt(run -> -run.graph.priority())
          .thenComparingInt(run -> run.graph.assignedCores());

  final SessionState state;
  private final Map<String, GraphRun> runs = new LinkedHashMap<>();

  SessionGraphs(SessionState state) {
    this.state = state;
  }

  void add(GraphRun run) {
    runs.put(run.graph.id(), run);
  }

  void remove(GraphRun run) {
    runs.remove(run.graph.id());
  }

  Collection<GraphRun> all() {
    return Collections.unmodifiableCollection(runs.values());
  }

  /** The graph of an id; null when it is not known. */
  @Nullable GraphRun get(String id) {
    return runs.get(id);
  }

  /** The parts that work on a graph; null when it was forgotten. */
  @Nullable GraphRun of(WorkflowState graph) {
    GraphRun run = runs.get(graph.id());
    return run == null || run.graph != graph ? null : run;
  }

  /** The parts that work on the graph of a task. */
  GraphRun of(TaskState task) {
    GraphRun run = of(task.graph());
    if (run == null) {
      throw new IllegalStateException("The graph of " + task.id() + " was forgotten");
    }
    return run;
  }

  /**
   * Graphs that have not ended: those of higher priority first, then those with fewer assigned
   * cores.
   */
  List<GraphRun> inOrder() {
    if (runs.size() == 1) {
      GraphRun only = runs.values().iterator().next();
      return only.graph.isOver() ? List.of() : List.of(only);
    }
    List<GraphRun> order = new ArrayList<>(runs.size());
    for (GraphRun run : runs.values()) {
      if (!run.graph.isOver()) {
        order.add(run);
      }
    }
    order.sort(MOST_URGENT_FIRST);
    return order;
  }

  /** The task of a scoped id; null when it is not known. */
  @Nullable TaskState task(String scopedId) {
    GraphRun run = owner(scopedId);
    return run == null ? null : run.graph.taskOrNull(scopedId);
  }

  /** The file of a scoped id; empty when it is not known. */
  Stream<FileState> known(String scopedId) {
    GraphRun run = owner(scopedId);
    return run == null ? Stream.of() : run.graph.known(scopedId);
  }

  /**
   * The graph that a scoped id may belong to. Ids of the graph without a prefix may contain a
   * colon.
   */
  @Nullable GraphRun owner(String scopedId) {
    GraphRun run = runs.get(ScopedId.graph(scopedId));
    return run == null ? runs.get("") : run;
  }
}
