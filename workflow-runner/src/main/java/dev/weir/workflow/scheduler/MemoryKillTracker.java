package dev.weir.workflow.scheduler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Remembers the tasks of lost workers. YARN reports that it has killed a worker for exceeding its
 * memory only after the loss, when the tasks may already be on other workers. A part of a {@link
 * Dispatcher}, for the same thread.
 */
public final class MemoryKillTracker {

  /** How many lost workers are remembered; the report of YARN arrives within seconds. */
  private static final int MOST = 100;

  private final StepBuilder stepBuilder;
  private final Function<TaskState, AttemptCompletion> completion;
  private final Supplier<Step> step;
  private final Map<String, LostWorker> lostWorkers = new LinkedHashMap<>();

  /**
   * A lost worker and the tasks that it ran.
   *
   * @param alone whether it ran a single task
   * @param lostMillis when it was lost, in milliseconds since the epoch
   */
  record LostWorker(WorkerInfo worker, List<TaskState> tasks, boolean alone, long lostMillis) {

    private LostWorker without(WorkflowState graph) {
      List<TaskState> rest = tasks.stream().filter(task -> task.graph() != graph).toList();
      return new LostWorker(worker, rest, alone, lostMillis);
    }
  }

  /**
   * A tracker without lost workers.
   *
   * @param completion the part that handles the end of attempts at a task
   * @param step assigns tasks after an event
   */
  MemoryKillTracker(
      StepBuilder stepBuilder,
      Function<TaskState, AttemptCompletion> completion,
      Supplier<Step> step) {
    this.stepBuilder = stepBuilder;
    this.completion = completion;
    this.step = step;
  }

  /** Remembers a lost worker. To be called before its tasks are removed from it. */
  void lost(WorkerState worker) {
    List<TaskState> tasks = List.copyOf(worker.running());
    lostWorkers.put(
        worker.info().id(),
        new LostWorker(worker.info(), tasks, tasks.size() == 1, stepBuilder.now()));
    if (lostWorkers.size() > MOST) {
      lostWorkers.remove(lostWorkers.keySet().iterator().next());
    }
  }

  /** Removes the tasks of a forgotten graph. */
  void forget(WorkflowState graph) {
    lostWorkers.replaceAll((worker, lost) -> lost.without(graph));
  }

  /**
   * Handles a report that a lost worker was killed for memory. The next attempt of each of its
   * tasks gets more memory. A task that ran alone has caused it: the second time this counts as a
   * failure of the task, and an attempt that has started since with the same memory is stopped.
   *
   * @param workerId id of the worker; one that is not remembered is ignored
   * @param reason the message of YARN
   * @param time milliseconds since the epoch
   * @return records and effects
   */
  public Step killedForMemory(String workerId, String reason, long time) {
    stepBuilder.begin(time);
    LostWorker lost = lostWorkers.remove(workerId);
    if (lost != null) {
      for (TaskState task : lost.tasks) {
        if (!task.settled() && !task.graph().isOver()) {
          completion.apply(task).memoryExceeded(task, lost, reason);
        }
      }
    }
    return step.get();
  }
}
