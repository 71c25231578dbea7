package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.AttemptRef;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;

/**
 * Handles the end of an attempt: its task is done, is retried or has failed permanently, and lost
 * inputs are made again. Not thread-safe.
 */
final class AttemptCompletion {

  private static final double MILLIS_PER_SECOND = 1_000;

  private final WorkflowState graph;
  private final SessionState session;
  private final RetryPolicy retryPolicy;
  private final RunStatistics statistics;
  private final GraphCompletion graphCompletion;
  private final LostFiles lostFiles;
  private final NodeBlacklist nodeBlacklist;

  AttemptCompletion(
      WorkflowState graph,
      RetryPolicy retryPolicy,
      RunStatistics statistics,
      GraphCompletion graphCompletion,
      LostFiles lostFiles,
      NodeBlacklist nodeBlacklist) {
    this.nodeBlacklist = nodeBlacklist;
    this.graph = graph;
    this.session = graph.session();
    this.retryPolicy = retryPolicy;
    this.statistics = statistics;
    this.graphCompletion = graphCompletion;
    this.lostFiles = lostFiles;
  }

  /**
   * Handles the loss of an attempt's worker.
   *
   * @param ahead whether the command had not begun, as far as is known
   */
  void lost(TaskState task, AttemptRef held, boolean ahead, String reason) {
    // Tasks ahead count, too: they may have begun without a report.
    List<String> outputs = task.missingOutputs();
    if (!outputs.isEmpty()) {
      session.stepBuilder().effect(new Effect.Discard(task.id(), held.attempt(), outputs));
    }
    TaskReport report = TaskReport.workerLost(task.id(), held.attempt(), reason);
    WorkerInfo worker = held.worker().info();
    boolean excused = held.worker().isLossExcused(task, ahead);
    session.assignments().unassign(held.worker(), task);
    recordEnd(task, held, report, excused, ahead);
    if (excused) {
      countExcused(task, worker, report);
    } else {
      count(task, worker, report);
    }
    if (retryPolicy.isPermanentFailure(task, report)) {
      graphCompletion.failed(task, worker, report);
    }
    requeueIfUnassigned(task);
  }

  /**
   * Handles the report that a lost worker was killed for memory while a task ran on it.
   *
   * @param reason the message of YARN
   */
  void memoryExceeded(TaskState task, LostWorkerTracker.LostWorker lostWorker, String reason) {
    ResourceNeeds had = task.needs();
    session
        .stepBuilder()
        .record(
            new DispatchRecord.MemoryExceeded(
                lostWorker.worker(),
                task.id(),
                lostWorker.alone(),
                reason,
                session.stepBuilder().now()));
    TaskReport report = memoryExceeded(task, lostWorker.worker(), lostWorker.alone(), reason);
    boolean begunSince = task.dispatchedMillis() >= lostWorker.lostMillis() && !task.isGranted();
    if (retryPolicy.isPermanentFailure(task, report)) {
      graphCompletion.failed(task, lostWorker.worker(), report);
    } else if (lostWorker.alone() && begunSince && !task.needs().equals(had)) {
      session.assignments().stop(task);
    }
  }

  /** Raises the needs of a task, explains the attempt that it has lost, and returns its report. */
  private TaskReport memoryExceeded(
      TaskState task, WorkerInfo worker, boolean alone, String reason) {
    retryPolicy.memoryExceeded(task, worker.node(), alone);
    statistics.explainLoss(task, worker.node(), reason);
    return TaskReport.workerLost(task.id(), task.attempts(), reason);
  }

  /** Replays that YARN has killed a lost worker for memory. */
  void replay(DispatchRecord.MemoryExceeded exceeded) {
    session.stepBuilder().begin(exceeded.millis());
    TaskState task = graph.task(exceeded.task());
    TaskReport report =
        memoryExceeded(task, exceeded.worker(), exceeded.alone(), exceeded.message());
    if (graphCompletion.keepsGoing() && retryPolicy.isPermanentFailure(task, report)) {
      graphCompletion.failed(task, exceeded.worker(), report);
    }
  }

  /** Handles a worker's report of the end of an attempt. */
  void reported(TaskState task, AttemptRef held, TaskReport report) {
    session.assignments().unassign(held.worker(), task);
    if (report.result() != TaskReport.Result.RECALLED) {
      ended(task, held, report);
    }
    requeueIfUnassigned(task);
  }

  private void ended(TaskState task, AttemptRef held, TaskReport report) {
    WorkerInfo worker = held.worker().info();
    recordEnd(task, held, report, retryPolicy.isInputLoss(task, report), false);
    count(task, worker, report);
    long now = session.stepBuilder().now();
    if (report.result() == TaskReport.Result.FAILED && nodeBlacklist.failed(task, worker.node())) {
      session.workers().blacklist(worker.node(), now);
    }
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      markDone(task, report, now);
      session.assignments().stopSecondCopy(task);
      nodeBlacklist
          .succeeded(task, worker.node())
          .forEach(node -> session.workers().blacklist(node, now));
    } else if (retryPolicy.isPermanentFailure(task, report)) {
      graphCompletion.failed(task, worker, report);
    } else if (report.result() == TaskReport.Result.NODE_UNFIT) {
      session.workers().blacklist(worker.node(), now);
    } else if (retryPolicy.isInputLoss(task, report)) {
      inputLost(task, worker, report);
    } else if (retryPolicy.isTransient(task, report)) {
      task.delayUntil(now + RetryPolicy.delayMillis(task));
    }
  }

  private void markDone(TaskState task, TaskReport report, long now) {
    WriteBackScheduler.estimateRemakeCost(task, report.usage().runMillis() / MILLIS_PER_SECOND);
    graph.markDone(task, report.outputs(), now);
  }

  /**
   * Handles the report of an attempt of an earlier dispatcher that the worker does not have any
   * more. Other attempts continue, unless the task is done now.
   */
  void reportedLate(TaskState task, AttemptRef ended, TaskReport report) {
    if (task.settled() || report.result() == TaskReport.Result.RECALLED) {
      return;
    }
    if (task.worker() == null) {
      graph.readyTasks().putBack(task);
      task.correctReadyMillis(ended.dispatchedMillis());
      ended(task, ended, report);
      requeueIfUnassigned(task);
    } else if (report.result() == TaskReport.Result.SUCCEEDED) {
      session.assignments().stop(task);
      ended(task, ended, report);
    } else {
      // The running attempt started in spite of this failure.
      recordEnd(task, ended, report, retryPolicy.isInputLoss(task, report), false);
      statistics.count(
          task, ended.worker().info(), report, retryPolicy.isUnsuccessful(task, report));
    }
  }

  /** Makes the task wait again, unless it has another attempt. */
  private void requeueIfUnassigned(TaskState task) {
    if (task.worker() == null) {
      graph.retry(task, session.stepBuilder().now());
    }
  }

  private void recordEnd(
      TaskState task, AttemptRef held, TaskReport report, boolean excused, boolean ahead) {
    WorkerInfo worker = held.worker().info();
    session
        .stepBuilder()
        .record(
            new DispatchRecord.AttemptEnded(
                worker,
                task.readyMillis(),
                held.dispatchedMillis(),
                session.stepBuilder().now(),
                report,
                excused,
                ahead,
                task.placement(held.attempt())));
  }

  private void countExcused(TaskState task, WorkerInfo worker, TaskReport report) {
    statistics.count(task, worker, report, false);
    if (report.result() == TaskReport.Result.WORKER_LOST) {
      task.countExcusedLoss();
    }
  }

  private void count(TaskState task, WorkerInfo worker, TaskReport report) {
    statistics.count(task, worker, report, retryPolicy.isUnsuccessful(task, report));
    retryPolicy.recordFailure(task, worker.node(), report);
  }

  private void inputLost(TaskState task, WorkerInfo worker, TaskReport report) {
    List<FileState> found =
        report.lostInputs().stream()
            .flatMap(task::input)
            .filter(file -> file.available() && task.hadCurrentGeneration(file))
            .toList();
    if (found.stream().anyMatch(graphCompletion::isLostTooOften)) {
      graphCompletion.failed(task, worker, report);
    }
    lostFiles.markLost(found);
  }

  void replay(DispatchRecord.AttemptEnded ended) {
    TaskReport report = ended.report();
    TaskState task = graph.task(report.task());
    session.stepBuilder().begin(ended.endedMillis());
    task.countAttempt(report.attempt());
    session.workers().markNodeLost(ended.worker().node());
    if (ended.excused()) {
      countExcused(task, ended.worker(), report);
    } else {
      count(task, ended.worker(), report);
    }
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      markDone(task, report, ended.endedMillis());
    } else if (report.result() == TaskReport.Result.NODE_UNFIT) {
      session.workers().blacklist(ended.worker().node(), ended.endedMillis());
    }
    if (graphCompletion.keepsGoing() && retryPolicy.isPermanentFailure(task, report)) {
      graphCompletion.failed(task, ended.worker(), report);
    }
  }
}
