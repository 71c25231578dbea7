package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.LossExcused;
import dev.weir.workflow.scheduler.api.DispatchRecord.MemoryExceeded;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Remembers the tasks of lost workers. YARN may report why it has ended a worker only after the
 * loss, when the tasks may already be on other workers, or to the next ApplicationMaster. A part of
 * a {@link Dispatcher}, for the same thread.
 */
public final class LostWorkerTracker {

  /** How many lost workers are remembered; the report of YARN arrives within seconds. */
  private static final int MOST = 100;

  private final StepBuilder stepBuilder;
  private final WorkerSet workers;
  private final SessionGraphs session;
  private final Supplier<Step> step;
  private final Map<String, LostWorker> lostWorkers = new LinkedHashMap<>();

  /**
   * A lost worker and its tasks, which are added.
   *
   * @param tasks those that it ran; not those ahead
   * @param ahead tasks that it had ahead, whose loss was counted, too
   * @param lostMillis when it was lost, in milliseconds since the epoch
   */
  record LostWorker(
      WorkerInfo worker, List<TaskState> tasks, List<TaskState> ahead, long lostMillis) {

    /** Whether it ran a single task. */
    boolean alone() {
      return tasks.size() == 1;
    }

    private boolean isOver() {
      return Stream.concat(tasks.stream(), ahead.stream()).allMatch(task -> task.graph().isOver());
    }
  }

  /**
   * A tracker without lost workers.
   *
   * @param step assigns tasks after an event
   */
  LostWorkerTracker(
      StepBuilder stepBuilder, WorkerSet workers, SessionGraphs session, Supplier<Step> step) {
    this.stepBuilder = stepBuilder;
    this.workers = workers;
    this.session = session;
    this.step = step;
  }

  /** Remembers a lost worker. To be called before its tasks are removed from it. */
  void lost(WorkerState worker) {
    if (worker.isLossExcused()) {
      return;
    }
    LostWorker lost = lost(worker.info(), stepBuilder.now());
    lost.tasks.addAll(worker.running());
    lost.ahead.addAll(worker.ahead());
  }

  private LostWorker lost(WorkerInfo worker, long lostMillis) {
    LostWorker lost =
        lostWorkers.computeIfAbsent(
            worker.id(),
            id -> new LostWorker(worker, new ArrayList<>(), new ArrayList<>(), lostMillis));
    if (lostWorkers.size() > MOST) {
      lostWorkers.remove(lostWorkers.keySet().iterator().next());
    }
    return lost;
  }

  /** Replays a record; only losses of workers, and kills that were handled, matter. */
  void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended
        && ended.report().result() == TaskReport.Result.WORKER_LOST
        && !ended.excused()) {
      had(ended.worker(), ended.report().task(), ended.ahead(), ended.endedMillis());
    } else if (record instanceof MemoryExceeded exceeded) {
      lostWorkers.remove(exceeded.worker().id());
    } else if (record instanceof LossExcused excused) {
      lostWorkers.remove(excused.worker());
    }
  }

  /**
   * Handles an attempt that ran on a worker when the last ApplicationMaster ended. If its end is in
   * the journal, it is ignored. To be called after the replay, before any worker joins.
   *
   * @param taskId scoped id of the task
   */
  public void ranBefore(WorkerInfo worker, String taskId, int attempt) {
    TaskState task = session.task(taskId);
    if (task != null && task.attempts() < attempt) {
      had(worker, taskId, false, stepBuilder.now());
    }
  }

  private void had(WorkerInfo worker, String taskId, boolean ahead, long lostMillis) {
    TaskState task = session.task(taskId);
    if (task != null) {
      LostWorker lost = lost(worker, lostMillis);
      (ahead ? lost.ahead : lost.tasks).add(task);
    }
  }

  /** A worker of an earlier ApplicationMaster has joined, so it is not lost. */
  void joined(WorkerInfo worker) {
    lostWorkers.remove(worker.id());
  }

  /** Removes workers that only had tasks of graphs that have ended. */
  void forget() {
    lostWorkers.values().removeIf(LostWorker::isOver);
  }

  /**
   * Handles a report that YARN has ended a worker for reasons of its own, such as preemption. The
   * loss of the worker costs its tasks no try, whether it was noticed before or follows. Tasks that
   * ran may have made their node unhealthy: unless it is a preemption, a task has a {@linkplain
   * TaskState#hasExcuse limited number} of such losses.
   *
   * @param workerId id of the worker; one that is not known is ignored
   * @param preempted whether the tasks cannot be the cause
   */
  public Step endedByYarn(String workerId, boolean preempted, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    LostWorker lost = lostWorkers.remove(workerId);
    if (worker != null) {
      worker.excuseLoss(preempted);
    } else if (lost != null) {
      lost.tasks.stream()
          .filter(task -> preempted || task.hasExcuse())
          .forEach(task -> excuse(task, workerId, time));
      lost.ahead.forEach(task -> excuse(task, workerId, time));
    }
    return step.get();
  }

  private void excuse(TaskState task, String workerId, long time) {
    if (!task.settled() && !task.graph().isOver()) {
      stepBuilder.record(new LossExcused(workerId, task.id(), time));
      task.excuseLoss();
    }
  }

  /**
   * Handles a report that a lost worker was killed for memory. The next attempt of each of its
   * tasks gets more memory. A task that ran alone has caused it: the second time this counts as a
   * failure of the task, and an attempt that has started since with the same memory is stopped.
   *
   * @param workerId id of the worker; one that is not remembered is ignored
   * @param reason the message of YARN
   */
  public Step killedForMemory(String workerId, String reason, long time) {
    stepBuilder.begin(time);
    LostWorker lost = lostWorkers.remove(workerId);
    if (lost != null) {
      for (TaskState task : lost.tasks) {
        if (!task.settled() && !task.graph().isOver()) {
          session.of(task).completion.memoryExceeded(task, lost, reason);
        }
      }
    }
    return step.get();
  }
}
