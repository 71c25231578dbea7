package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.state.Assignments;
import dev.weir.workflow.scheduler.state.AttemptRef;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.ArrayList;
import java.util.List;

/** Decides which of two attempts at a task may commit. Not thread-safe. */
final class CommitPermits {

  private final SessionGraphs session;
  private final Assignments assignments;
  private final List<CommitRequest> deferred = new ArrayList<>();
  private boolean answering;

  /** A worker's question whether it may commit an attempt. */
  private record CommitRequest(String worker, String task, int attempt) {}

  CommitPermits(SessionGraphs session) {
    this.session = session;
    this.assignments = session.state.assignments();
  }

  /**
   * Handles a worker's question whether it may commit an attempt. Before the session has started,
   * the answer is deferred: a worker that has not returned yet may have been allowed to commit
   * before.
   */
  void requested(String workerId, String taskId, int attempt) {
    CommitRequest request = new CommitRequest(workerId, taskId, attempt);
    if (answering) {
      answer(request);
    } else {
      deferred.add(request);
    }
  }

  /** Answers deferred questions, after all workers of an earlier dispatcher have returned. */
  void answerAll() {
    answering = true;
    deferred.forEach(this::answer);
    deferred.clear();
  }

  private void answer(CommitRequest request) {
    WorkerState worker = session.state.workers().get(request.worker());
    TaskState task = session.task(request.task());
    boolean granted = worker != null && task != null && grant(task, worker, request.attempt());
    session
        .state
        .stepBuilder()
        .effect(new Effect.Permit(request.worker(), request.task(), request.attempt(), granted));
  }

  /**
   * Allows the first of two attempts to commit, and stops the other one. The permission holds until
   * the attempt ends; if the attempt fails, the task is retried.
   *
   * @return whether the attempt may commit
   */
  private boolean grant(TaskState task, WorkerState worker, int attempt) {
    AttemptRef held = task.attemptOn(worker).orElse(null);
    if (held == null
        || held.attempt() != attempt
        || held.stopping()
        || task.status() != Status.ASSIGNED) {
      return false;
    }
    if (task.worker() != worker) {
      if (task.isGranted()) {
        return false;
      }
      assignments.preferSecondCopy(task);
    } else {
      assignments.stopSecondCopy(task);
    }
    task.grantCommit();
    return true;
  }
}
