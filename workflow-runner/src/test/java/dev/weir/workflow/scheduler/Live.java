package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A worker that lives, what it has in hand, and what of that it has begun. */
final class Live {

  final WorkerInfo info;
  final Map<String, Effect.Start> hand = new LinkedHashMap<>();
  final Set<String> begun = new HashSet<>();
  final Map<String, Long> since = new HashMap<>();

  Live(WorkerInfo info) {
    this.info = info;
  }

  void take(Effect.Start start, long now) {
    hand.put(start.task(), start);
    since.put(start.task(), now);
  }

  /** An attempt that it has in hand; null when it has not. */
  Effect.@Nullable Start given(String task, int attempt) {
    Effect.Start start = hand.get(task);
    return start != null && start.attempt() == attempt ? start : null;
  }

  void ended(String task) {
    hand.remove(task);
    begun.remove(task);
  }

  /** Whether it has room for one more beside those that it has begun. */
  boolean fits(Task next, WorkflowGraph graph, WorkerSize size) {
    int cores = ResourceNeeds.of(next.needs()).cores();
    long memory = next.needs().memoryBytes();
    for (String task : begun) {
      cores += ResourceNeeds.of(graph.task(task).needs()).cores();
      memory += graph.task(task).needs().memoryBytes();
    }
    return cores <= size.cores() && memory <= size.memoryBytes();
  }
}
