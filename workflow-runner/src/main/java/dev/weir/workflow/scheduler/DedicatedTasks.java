package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.scheduler.state.TaskQueue;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns tasks that do not fit ordinary workers to dedicated ones: tasks that need further types
 * of resources, and those that were killed with all memory of a worker. A dedicated worker runs one
 * task at a time, so that the task has all of its devices. Not thread-safe.
 */
final class DedicatedTasks {

  /** How many tasks that a worker may run are compared by their bytes on its node. */
  private static final int MOST_TRIES = 16;

  private final SessionGraphs session;
  private final WorkerSet workers;

  DedicatedTasks(SessionGraphs session) {
    this.session = session;
    this.workers = session.state.workers();
  }

  /** Assigns ready tasks to free dedicated workers. */
  void assign() {
    for (WorkerState worker : workers.dedicated()) {
      TaskState task = worker.isFree() ? next(worker) : null;
      if (task != null) {
        task.decide(Decision.FREE_WORKER, Math.round(session.state.readRate().rate()));
        session.state.assignments().assign(task, worker);
      }
    }
  }

  /** Returns the next task for a worker; null if it may run none. */
  private @Nullable TaskState next(WorkerState worker) {
    for (GraphRun run : session.inOrder()) {
      TaskState next = next(worker, run.graph.readyTasks().dedicated());
      if (next != null) {
        return next;
      }
    }
    return null;
  }

  /** Of the first tasks of equal priority, the one with most bytes on the node goes first. */
  private @Nullable TaskState next(WorkerState worker, TaskQueue ready) {
    String node = worker.info().node();
    TaskState best = null;
    int tries = 0;
    for (TaskState task : ready.all()) {
      if (worker.isDedicatedTo(task.needs()) && !isBetterElsewhere(task, worker)) {
        if (best != null && best.priority() != task.priority()) {
          break;
        }
        best = best == null || task.bytesOn(node) > best.bytesOn(node) ? task : best;
        if (++tries == MOST_TRIES) {
          break;
        }
      }
    }
    return best;
  }

  /** Whether a task avoids the node of a worker, and there is a worker for it on another node. */
  private boolean isBetterElsewhere(TaskState task, WorkerState worker) {
    return workers.avoids(task, worker)
        && workers.dedicated().stream()
            .anyMatch(other -> other.isDedicatedTo(task.needs()) && !workers.avoids(task, other));
  }

  /**
   * Returns how many dedicated workers are wanted: those that run tasks, and one for each ready
   * task.
   *
   * @param most at most this many in all
   * @return numbers by what the workers are wanted for
   */
  Map<ResourceNeeds, Integer> wanted(int most) {
    // In the order of the tasks, because gangs are requested one after the other.
    Map<ResourceNeeds, Integer> wanted = new LinkedHashMap<>();
    int left = most;
    for (WorkerState worker : workers.dedicated()) {
      ResourceNeeds needs = worker.dedication();
      if (needs != null && !worker.isFree()) {
        wanted.merge(needs, 1, Integer::sum);
        left--;
      }
    }
    for (GraphRun run : session.inOrder()) {
      for (TaskState task : run.graph.readyTasks().dedicated().all()) {
        if (left-- <= 0) {
          return wanted;
        }
        wanted.merge(task.needs(), 1, Integer::sum);
      }
    }
    return wanted;
  }
}
