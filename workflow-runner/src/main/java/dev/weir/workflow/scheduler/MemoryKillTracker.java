package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.DispatchRecord.MemoryExceeded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the tasks of lost workers. YARN reports that it has killed a worker for exceeding its
 * memory only after the loss, when the tasks may already be on other workers, or to the next
 * ApplicationMaster. A part of a {@link Dispatcher}, for the same thread.
 */
public final class MemoryKillTracker {

  /** How many lost workers are remembered; the report of YARN arrives within seconds. */
  private static final int MOST = 100;

  private final StepBuilder stepBuilder;
  private final Function<String, @Nullable TaskState> tasks;
  private final Function<TaskState, AttemptCompletion> completion;
  private final Supplier<Step> step;
  private final Map<String, LostWorker> lostWorkers = new LinkedHashMap<>();

  /**
   * A lost worker and the tasks that it ran.
   *
   * @param tasks those that it ran; not those ahead
   * @param alone whether it ran a single task
   * @param lostMillis when it was lost, in milliseconds since the epoch
   */
  record LostWorker(WorkerInfo worker, List<TaskState> tasks, boolean alone, long lostMillis) {

    private LostWorker without(WorkflowState graph) {
      List<TaskState> rest = tasks.stream().filter(task -> task.graph() != graph).toList();
      return new LostWorker(worker, rest, alone, lostMillis);
    }

    private LostWorker with(LostWorker other) {
      List<TaskState> all = new ArrayList<>(tasks);
      all.addAll(other.tasks);
      return new LostWorker(worker, all, false, lostMillis);
    }
  }

  /**
   * A tracker without lost workers.
   *
   * @param tasks finds a task by its scoped id
   * @param completion the part that handles the end of attempts at a task
   * @param step assigns tasks after an event
   */
  MemoryKillTracker(
      StepBuilder stepBuilder,
      Function<String, @Nullable TaskState> tasks,
      Function<TaskState, AttemptCompletion> completion,
      Supplier<Step> step) {
    this.stepBuilder = stepBuilder;
    this.tasks = tasks;
    this.completion = completion;
    this.step = step;
  }

  /** Remembers a lost worker. To be called before its tasks are removed from it. */
  void lost(WorkerState worker) {
    List<TaskState> ran = List.copyOf(worker.running());
    add(new LostWorker(worker.info(), ran, ran.size() == 1, stepBuilder.now()));
  }

  private void add(LostWorker lost) {
    lostWorkers.merge(lost.worker().id(), lost, LostWorker::with);
    if (lostWorkers.size() > MOST) {
      lostWorkers.remove(lostWorkers.keySet().iterator().next());
    }
  }

  /** Replays a record; only losses of workers, and kills that were handled, matter. */
  void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended
        && ended.report().result() == TaskReport.Result.WORKER_LOST
        && !ended.ahead()) {
      ran(ended.worker(), ended.report().task(), ended.endedMillis());
    } else if (record instanceof MemoryExceeded exceeded) {
      lostWorkers.remove(exceeded.worker().id());
    }
  }

  /**
   * Handles an attempt that ran on a worker when the last ApplicationMaster ended. If its end is in
   * the journal, it is ignored. To be called after the replay, before any worker joins.
   *
   * @param worker the worker, which may be lost
   * @param taskId scoped id of the task
   * @param attempt number of the attempt
   */
  public void ranBefore(WorkerInfo worker, String taskId, int attempt) {
    TaskState task = tasks.apply(taskId);
    if (task != null && task.attempts() < attempt) {
      ran(worker, taskId, stepBuilder.now());
    }
  }

  private void ran(WorkerInfo worker, String taskId, long lostMillis) {
    TaskState task = tasks.apply(taskId);
    if (task != null) {
      add(new LostWorker(worker, List.of(task), true, lostMillis));
    }
  }

  /** A worker of an earlier ApplicationMaster has joined, so it is not lost. */
  void joined(WorkerInfo worker) {
    lostWorkers.remove(worker.id());
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
