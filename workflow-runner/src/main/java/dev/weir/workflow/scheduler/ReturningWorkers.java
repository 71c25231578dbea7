package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.state.Assignments;
import dev.weir.workflow.scheduler.state.AttemptRef;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles workers that still have attempts of an earlier dispatcher of the same run. Not
 * thread-safe.
 *
 * <p>An attempt that a worker has counts as assigned to it. It is stopped instead if the task is
 * settled, the end of the attempt is in the journal, or the task already has as many attempts as it
 * may have. An attempt that has ended needs no worker; only its report, which follows, is handled.
 * So no running attempt is started twice, and none is counted twice, if no task is assigned before
 * these workers have returned: {@link Dispatcher#start} must wait for them. An attempt that was
 * allowed to commit still is.
 */
final class ReturningWorkers {

  private final SessionGraphs session;
  private final Assignments assignments;
  private final StepBuilder stepBuilder;

  /**
   * Attempts whose end is in the journal; from {@link #started} on only those of unsettled tasks.
   */
  private final Set<AttemptKey> recordedEnds = new HashSet<>();

  /** Attempts that have ended and whose reports follow, with the times when they were assigned. */
  private final Map<AttemptKey, Long> ended = new HashMap<>();

  private record AttemptKey(String task, int attempt) {}

  ReturningWorkers(SessionGraphs session) {
    this.session = session;
    this.assignments = session.state.assignments();
    this.stepBuilder = session.state.stepBuilder();
  }

  /** Replays a record; only ends of attempts matter. */
  void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      recordedEnds.add(new AttemptKey(ended.report().task(), ended.report().attempt()));
    }
  }

  /**
   * Handles the start of the session. Ends of attempts at settled tasks are not needed any more,
   * because other attempts at these are stopped anyway.
   */
  void started() {
    recordedEnds.removeIf(
        attempt -> {
          TaskState task = session.task(attempt.task());
          return task == null || task.settled();
        });
  }

  /** Removes attempts of forgotten graphs. */
  void forget() {
    started();
    ended.keySet().removeIf(attempt -> session.task(attempt.task()) == null);
  }

  /** Number of ends of attempts that are remembered, for tests. */
  int remembered() {
    return recordedEnds.size();
  }

  /** Handles an attempt that a worker has; one that has ended is reported after this. */
  void restore(WorkerState worker, HeldAttempt held) {
    TaskState task = session.task(held.task());
    if (held.ended()) {
      expectReport(task, held);
      return;
    }
    if (task == null || !mayContinue(task, worker, held)) {
      if (task != null) {
        // A new attempt must not have the number of an attempt that is being stopped.
        task.countAttempt(held.attempt());
      }
      stepBuilder.effect(new Effect.Stop(worker.info().id(), held.task(), held.attempt()));
      return;
    }
    long since = since(held);
    if (task.worker() == null) {
      assignments.adopt(task, worker, held.attempt(), since);
    } else {
      assignments.adoptCopy(task, worker, held.attempt(), since);
    }
    if (held.mayCommit()) {
      allowCommit(task, worker);
    }
  }

  private long since(HeldAttempt held) {
    return stepBuilder.now() - Math.max(0, held.heldMillis());
  }

  private void expectReport(@Nullable TaskState task, HeldAttempt held) {
    AttemptKey attempt = new AttemptKey(held.task(), held.attempt());
    if (task != null && !recordedEnds.contains(attempt)) {
      task.countAttempt(held.attempt());
      ended.put(attempt, since(held));
    }
  }

  /** Handles the report of an attempt that the worker does not have any more. */
  void reported(WorkerState worker, TaskState task, TaskReport report) {
    Long since = ended.remove(new AttemptKey(report.task(), report.attempt()));
    if (since != null) {
      session
          .of(task)
          .completion
          .reportedLate(
              task, new AttemptRef(worker, report.attempt(), since, since, false), report);
    }
  }

  private boolean mayContinue(TaskState task, WorkerState worker, HeldAttempt held) {
    return !task.settled()
        && !task.graph().isOver()
        && !recordedEnds.contains(new AttemptKey(held.task(), held.attempt()))
        && !task.isGranted()
        && task.secondCopy() == null
        && task.worker() != worker;
  }

  /** The attempt may be committing, so that no other may. */
  private void allowCommit(TaskState task, WorkerState worker) {
    if (task.worker() != worker) {
      assignments.preferSecondCopy(task);
    }
    task.grantCommit();
  }
}
