package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A live worker, its attempts, and which of them it has started. */
final class SimulatedWorker {

  final WorkerInfo info;
  final Map<String, Effect.Start> attempts = new LinkedHashMap<>();
  final Set<String> begun = new HashSet<>();
  final Map<String, Long> since = new HashMap<>();

  SimulatedWorker(WorkerInfo info) {
    this.info = info;
  }

  void take(Effect.Start start, long now) {
    attempts.put(start.task(), start);
    since.put(start.task(), now);
  }

  /** An attempt that it has; null when it has not. */
  Effect.@Nullable Start attempt(String task, int attempt) {
    Effect.Start start = attempts.get(task);
    return start != null && start.attempt() == attempt ? start : null;
  }

  void ended(String task) {
    attempts.remove(task);
    begun.remove(task);
  }

  /** Whether a task fits beside those that it has started. */
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
