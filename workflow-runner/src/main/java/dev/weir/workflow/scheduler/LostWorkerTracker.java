package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.LossExcused;
import dev.weir.workflow.scheduler.api.DispatchRecord.MemoryExceeded;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Remembers the tasks of lost workers. YARN may report why it has ended a worker only after the
 * loss, when the tasks may already be on other workers, or to the next ApplicationMaster. Not
 * thread-safe.
 */
final class LostWorkerTracker {

  /** How many lost workers are remembered; the report of YARN arrives within seconds. */
  private static final int MOST = 100;

  private final SessionGraphs session;
  private final StepBuilder stepBuilder;
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

    boolean alone() {
      return tasks.size() == 1;
    }

    private boolean isOver() {
      return Stream.concat(tasks.stream(), ahead.stream()).allMatch(task -> task.graph().isOver());
    }
  }

  LostWorkerTracker(SessionGraphs session) {
    this.session = session;
    this.stepBuilder = session.state.stepBuilder();
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

  /** Handles an attempt that ran on a worker when the last ApplicationMaster ended. */
  void ranBefore(WorkerInfo worker, String taskId, int attempt) {
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

  /** YARN has ended a worker for reasons of its own. */
  void endedByYarn(String workerId, boolean preempted) {
    WorkerState worker = session.state.workers().get(workerId);
    LostWorker lost = lostWorkers.remove(workerId);
    if (worker != null) {
      worker.excuseLoss(preempted);
    } else if (lost != null) {
      lost.tasks.stream()
          .filter(task -> preempted || task.hasExcuse())
          .forEach(task -> excuse(task, workerId));
      lost.ahead.forEach(task -> excuse(task, workerId));
    }
  }

  private void excuse(TaskState task, String workerId) {
    if (!task.settled() && !task.graph().isOver()) {
      stepBuilder.record(new LossExcused(workerId, task.id(), stepBuilder.now()));
      task.excuseLoss();
    }
  }

  /** A lost worker was killed for memory. */
  void killedForMemory(String workerId, String reason) {
    LostWorker lost = lostWorkers.remove(workerId);
    if (lost != null) {
      for (TaskState task : lost.tasks) {
        if (!task.settled() && !task.graph().isOver()) {
          session.of(task).completion.memoryExceeded(task, lost, reason);
        }
      }
    }
  }
}
