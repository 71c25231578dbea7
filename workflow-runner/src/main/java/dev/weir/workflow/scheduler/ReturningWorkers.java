package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workers that an earlier dispatcher of the same run has given tasks, and that go on with them. A
 * part of a {@link Dispatcher}, for the same thread.
 *
 * <p>What a worker has in hand is taken for given to it, unless the task is done, nobody wants it,
 * the end of that very attempt is in the journal, or the task has as many attempts as it may have:
 * then the worker is told to stop it. An attempt that has ended occupies nobody and keeps no other
 * from going on: its report, which follows, is all there is of it. So nothing that goes on is begun
 * once more, and nothing is counted twice, as long as no task is given to anybody before these
 * workers have come: {@link Dispatcher#start} has to wait for them. An attempt that was let commit
 * stays the one that may.
 */
public final class ReturningWorkers {

  private final SessionGraphs session;
  private final WorkerSet crew;
  private final Assignments hands;
  private final StepBuilder turn;
  private final Function<TaskState, AttemptCompletion> outcomes;
  private final Supplier<Step> step;

  /** Attempts whose end the journal holds, from {@link #begun} on of unsettled tasks alone. */
  private final Set<Known> known = new HashSet<>();

  /** Attempts that have ended and whose reports follow, with when they were given. */
  private final Map<Known, Long> ended = new HashMap<>();

  private record Known(String task, int attempt) {}

  /**
   * Nobody has come yet.
   *
   * @param outcomes hears of attempts that have ended
   * @param step assigns what can be assigned after an event
   */
  ReturningWorkers(
      SessionGraphs session,
      WorkerSet crew,
      Assignments hands,
      StepBuilder turn,
      Function<TaskState, AttemptCompletion> outcomes,
      Supplier<Step> step) {
    this.session = session;
    this.crew = crew;
    this.hands = hands;
    this.turn = turn;
    this.outcomes = outcomes;
    this.step = step;
  }

  /** Something happened before this dispatcher began. */
  void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      known.add(new Known(ended.report().task(), ended.report().attempt()));
    }
  }

  /**
   * The run goes on: what is known of tasks that are done or dropped is of no use any more, for
   * nobody is let go on with those.
   */
  void begun() {
    known.removeIf(
        attempt -> {
          TaskState task = session.task(attempt.task());
          return task == null || task.settled();
        });
  }

  /** A graph is not known any more. */
  void forget() {
    begun();
    ended.keySet().removeIf(attempt -> session.task(attempt.task()) == null);
  }

  /** How many ends of attempts are known. */
  int remembered() {
    return known.size();
  }

  /**
   * A worker that has joined says what it has in hand. What has ended of it is reported after this
   * as any attempt is.
   *
   * @param workerId id of the worker; what an unknown one says is ignored
   * @param attempts in the order in which it was given them
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step returned(String workerId, List<HeldAttempt> attempts, long time) {
    turn.begin(time);
    WorkerState worker = crew.get(workerId);
    if (worker != null) {
      attempts.forEach(attempt -> take(worker, attempt));
    }
    return step.get();
  }

  private void take(WorkerState worker, HeldAttempt held) {
    TaskState task = session.task(held.task());
    if (held.ended()) {
      expect(task, held);
      return;
    }
    if (task == null || !isWanted(task, worker, held)) {
      if (task != null) {
        // No other attempt may have the number of one that is being stopped.
        task.attempts = Math.max(task.attempts, held.attempt());
      }
      turn.effect(new Effect.Stop(worker.info.id(), held.task(), held.attempt()));
      return;
    }
    long since = since(held);
    if (task.worker == null) {
      hands.adopt(task, worker, held.attempt(), since);
    } else {
      hands.adoptCopy(task, worker, held.attempt(), since);
    }
    if (held.mayCommit()) {
      letCommit(task, worker);
    }
  }

  private long since(HeldAttempt held) {
    return turn.now() - Math.max(0, held.heldMillis());
  }

  private void expect(@Nullable TaskState task, HeldAttempt held) {
    Known attempt = new Known(held.task(), held.attempt());
    if (task != null && !known.contains(attempt)) {
      task.attempts = Math.max(task.attempts, held.attempt());
      ended.put(attempt, since(held));
    }
  }

  /** A worker reports the end of an attempt that it does not have in hand. */
  void reported(WorkerState worker, TaskState task, TaskReport report) {
    Long since = ended.remove(new Known(report.task(), report.attempt()));
    if (since != null) {
      outcomes
          .apply(task)
          .reportedLate(
              task, new AttemptRef(worker, report.attempt(), since, since, false), report);
    }
  }

  private boolean isWanted(TaskState task, WorkerState worker, HeldAttempt held) {
    return !task.settled()
        && !task.graph.over
        && !known.contains(new Known(held.task(), held.attempt()))
        && !task.granted
        && task.twin == null
        && task.worker != worker;
  }

  /** It is in the midst of it: another attempt is too late. */
  private void letCommit(TaskState task, WorkerState worker) {
    if (task.worker != worker) {
      hands.preferTwin(task);
    }
    task.granted = true;
  }
}
