package dev.weir.workflow.scheduler;

import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes a task ahead back for a free worker before ready tasks are assigned, if its rank is higher
 * than theirs and it would wait much longer than its inputs take to move. Otherwise a critical task
 * would wait behind a busy worker while free workers start less critical ones. The free worker
 * reserves room until the other worker has answered. Not thread-safe.
 */
final class RankPreemption {

  /** It must wait this many times as long as its inputs take to move. */
  private static final double LEAST_TIMES = 4;

  /** It must also wait longer than this, which the recall itself takes. */
  private static final double LEAST_SECONDS = 0.1;

  /** Workers answer at once, or hang. */
  private static final long ANSWER_TIMEOUT_MILLIS = 1_000;

  /** How many tasks are tried in one round, and how many workers for each. */
  private static final int MOST_TRIES = 8;

  private final WorkflowState graph;
  private final TaskQueue ahead;
  private final CacheIndex caches;
  private final WorkerSet workers;
  private final Assignments assignments;
  private final StepBuilder stepBuilder;
  private final ReadRate readRate;
  private final LookAheadWaits waits;

  private final List<Reservation> reservations = new ArrayList<>();

  /** A worker that has reserved room for a task, since a time in milliseconds since the epoch. */
  private record Reservation(WorkerState target, TaskState task, long since) {}

  RankPreemption(SchedulerContext context) {
    this.graph = context.graph();
    this.ahead = graph.ahead();
    this.caches = graph.caches();
    this.workers = context.workers();
    this.assignments = context.assignments();
    this.stepBuilder = context.stepBuilder();
    this.readRate = context.readRate();
    this.waits = new LookAheadWaits(context);
  }

  /**
   * Assigns tasks that were taken back, and takes back others. To be called before ready tasks are
   * assigned.
   */
  void preempt() {
    settleReservations();
    if (ahead.isEmpty() || workers.idle().isEmpty() || graph.ready().isEmpty()) {
      return;
    }
    TaskState next = graph.ready().all().first();
    double least = next.rank() + RankPreference.LEAST_PART * graph.estimates().expected(next);
    for (TaskState task : ahead.all().stream().limit(MOST_TRIES).toList()) {
      if (task.priority() == next.priority() && task.rank() > least) {
        preemptWith(task);
      }
    }
  }

  private void preemptWith(TaskState task) {
    WorkerState holder = task.worker();
    double waits = holder == null ? 0 : this.waits.seconds(task, holder) - LEAST_SECONDS;
    WorkerState target = waits <= 0 ? null : target(task);
    if (target == null || target == holder) {
      return;
    }
    double most = waits / LEAST_TIMES * readRate.rate();
    if (task.missingOn(target.info().node(), caches, most) <= most) {
      reservations.add(new Reservation(target, task, stepBuilder.now()));
      target.reserveRoom(task.needs());
      workers.changed(target);
      assignments.recall(task, target);
    }
  }

  private void settleReservations() {
    Iterator<Reservation> each = reservations.iterator();
    while (each.hasNext()) {
      Reservation one = each.next();
      boolean comes = one.task().recalledFor() == one.target();
      if (!comes || stepBuilder.now() - one.since() >= ANSWER_TIMEOUT_MILLIS) {
        each.remove();
        if (comes) {
          one.task().clearRecall();
        }
        one.target().releaseRoom();
        workers.changed(one.target());
        if (isStillFirst(one.task()) && mayStart(one.task(), one.target())) {
          one.task().decide(Decision.TAKEN_BACK, Math.round(readRate.rate()));
          assignments.assign(one.task(), one.target());
        }
      }
    }
  }

  /** A user may have put another task first meanwhile. */
  private boolean isStillFirst(TaskState task) {
    return task.status() == Status.READY
        && task.priority() >= graph.ready().all().first().priority();
  }

  /** The free worker with most bytes of a task; null when no free worker may run it. */
  private @Nullable WorkerState target(TaskState task) {
    Predicate<WorkerState> may = worker -> !worker.awaitsTask() && mayStart(task, worker);
    WorkerState best = null;
    long most = 0;
    for (LocalTask place : task.hostEntries()) {
      WorkerState there = place.bytes() > most ? first(workers.idle().on(place.host()), may) : null;
      best = there == null ? best : there;
      most = there == null ? most : place.bytes();
    }
    return best == null ? first(workers.idle().all(), may) : best;
  }

  private static @Nullable WorkerState first(Set<WorkerState> some, Predicate<WorkerState> may) {
    return some.stream().limit(MOST_TRIES).filter(may).findFirst().orElse(null);
  }

  private boolean mayStart(TaskState task, WorkerState worker) {
    String node = worker.info().node();
    return workers.get(worker.info().id()) == worker
        && worker.canStart(task.needs())
        && !task.hasSecondCopyOn(worker)
        && workers.allows(task, node);
  }
}
