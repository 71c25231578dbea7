package dev.weir.workflow.estimate;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated worker, which begins commands in the order of their arrival. Not thread-safe. */
final class SimulatedWorker {

  final String id;
  final String node;

  /** Attempts whose command has not begun, in the order of arrival. */
  final List<SimulatedAttempt> waiting = new ArrayList<>();

  private int freeCores;
  private long freeMemory;

  SimulatedWorker(String id, String node, WorkerSize size) {
    this.id = id;
    this.node = node;
    this.freeCores = size.cores();
    this.freeMemory = size.memoryBytes();
  }

  /** Takes the next attempt that can begin, with its resources; null if none can. */
  @Nullable SimulatedAttempt next() {
    for (SimulatedAttempt attempt : waiting) {
      if (attempt.isStaged) {
        ResourceNeeds needs = attempt.start.needs();
        if (needs.cores() > freeCores || needs.memoryBytes() > freeMemory) {
          // Later ones would keep it waiting.
          return null;
        }
        freeCores -= needs.cores();
        freeMemory -= needs.memoryBytes();
        waiting.remove(attempt);
        return attempt;
      }
    }
    return null;
  }

  /** Returns the resources of a command that has ended. */
  void release(ResourceNeeds needs) {
    freeCores += needs.cores();
    freeMemory += needs.memoryBytes();
  }
}
