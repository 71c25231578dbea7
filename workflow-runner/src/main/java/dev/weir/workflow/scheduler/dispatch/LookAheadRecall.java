package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskQueue;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks ahead back for idle workers where they would start sooner. The idle worker reserves
 * room until the worker that has the task has answered: it keeps a task whose command has begun.
 * Not thread-safe.
 */
public final class LookAheadRecall {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** A smaller gain is not worth a recall, which itself takes this long. */
  private static final double LEAST_SECONDS = 0.1;

  /** Workers answer at once, or hang. */
  private static final long ANSWER_TIMEOUT_MILLIS = 1_000;

  /** Bounds the tasks that are tried for an event, and the idle workers for each of them. */
  public static final int MOST_TRIES = 16;

  private final WorkflowState graph;
  private final TaskQueue ahead;
  private final SessionState session;
  private final WorkerSet workers;
  private final StartTimes times;
  private final TaskScore score;
  private final List<Reservation> reservations = new ArrayList<>();

  /** A worker that has reserved room for a task, since a time in milliseconds since the epoch. */
  private record Reservation(WorkerState target, TaskState task, long since) {}

  public LookAheadRecall(WorkflowState graph, StartTimes times) {
    this.graph = graph;
    this.ahead = graph.ahead();
    this.session = graph.session();
    this.workers = session.workers();
    this.times = times;
    this.score = new TaskScore(graph);
  }

  /**
   * Takes tasks back whose score for an idle worker is higher than that of all ready tasks.
   * Otherwise a critical task would wait behind a busy worker while idle workers start less
   * critical ones. To be called before ready tasks are assigned.
   *
   * @param readyScore the highest score of a ready task for a worker
   */
  public void recallByScore(ToDoubleFunction<WorkerState> readyScore) {
    if (ahead.isEmpty() || workers.idle().isEmpty() || graph.ready().isEmpty()) {
      return;
    }
    int priority = graph.ready().all().first().priority();
    Set<TaskState> some = first(ahead.all(), MOST_TRIES);
    workers.idle().nodes().stream()
        .limit(MOST_TRIES)
        .flatMap(node -> ahead.on(node).stream().limit(1))
        .forEach(place -> some.add(place.task()));
    for (TaskState task : some) {
      WorkerState target = target(task, MOST_TRIES);
      if (target != null
          && task.priority() == priority
          && score.of(task, target.info().node()) > readyScore.applyAsDouble(target)) {
        recall(task, target);
      }
    }
  }

  /**
   * Takes tasks back for workers that may run no ready task. To be called after ready tasks have
   * been assigned.
   *
   * @param most how many tasks are tried, and how many idle workers for each of them
   */
  public void recall(int most) {
    if (ahead.isEmpty() || workers.idle().isEmpty()) {
      return;
    }
    for (TaskState task : first(ahead.all(), most)) {
      WorkerState target = target(task, most);
      if (target != null) {
        recall(task, target);
      }
    }
  }

  private static Set<TaskState> first(Collection<TaskState> tasks, int most) {
    return tasks.stream().limit(most).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private void recall(TaskState task, WorkerState target) {
    WorkerState holder = task.worker();
    double waited = (session.stepBuilder().now() - task.waitingSince()) / MILLIS_PER_SECOND;
    double most = holder == null ? 0 : Math.max(waited, times.wait(task, holder) - LEAST_SECONDS);
    if (graph.isUrgent(task)
        || (most > 0 && times.move(task, target.info().node(), most) <= most)) {
      reservations.add(new Reservation(target, task, session.stepBuilder().now()));
      target.reserveRoom(task.needs());
      workers.changed(target);
      session.assignments().recall(task, target);
    }
  }

  /**
   * Returns the idle worker that may start a task and whose node has the most of its bytes; null
   * when none was found.
   */
  private @Nullable WorkerState target(TaskState task, int most) {
    WorkerState best = null;
    long bytes = 0;
    for (LocalTask place : task.hostEntries()) {
      if (place.bytes() > bytes) {
        WorkerState there = first(workers.idle().on(place.host()), task, most);
        best = there == null ? best : there;
        bytes = there == null ? bytes : place.bytes();
      }
    }
    return best == null ? first(workers.idle().all(), task, most) : best;
  }

  private @Nullable WorkerState first(Set<WorkerState> idle, TaskState task, int most) {
    return idle.stream().limit(most).filter(it -> mayStart(task, it)).findFirst().orElse(null);
  }

  private boolean mayStart(TaskState task, WorkerState worker) {
    return workers.get(worker.info().id()) == worker
        && worker != task.worker()
        && !worker.hasReservation()
        && worker.canStart(task.needs())
        && !task.hasSecondCopyOn(worker)
        && workers.allows(task, worker.info().node());
  }

  /**
   * Assigns tasks that were taken back to the workers that have reserved room for them, and ends
   * reservations that got no answer in time. To be called after each event, also when the graph has
   * ended, or a worker would keep its reservation.
   */
  public void settle() {
    Iterator<Reservation> each = reservations.iterator();
    while (each.hasNext()) {
      Reservation reservation = each.next();
      TaskState task = reservation.task();
      WorkerState target = reservation.target();
      boolean isAwaited = task.recalledFor() == target;
      boolean isLate = session.stepBuilder().now() - reservation.since() >= ANSWER_TIMEOUT_MILLIS;
      if (!isAwaited || isLate || graph.isOver()) {
        each.remove();
        if (isAwaited) {
          task.clearRecall();
        }
        target.releaseRoom();
        workers.changed(target);
        if (!graph.isOver() && isStillFirst(task) && mayStart(task, target)) {
          task.decide(Decision.TAKEN_BACK, Math.round(session.readRate().rate()));
          session.assignments().assign(task, target);
        }
      }
    }
  }

  /** Returns whether a task is still ready, and no user has put another one first meanwhile. */
  private boolean isStillFirst(TaskState task) {
    return task.status() == Status.READY
        // After a kill for memory it may need a dedicated worker.
        && graph.ready().all().contains(task)
        && task.priority() >= graph.ready().all().first().priority();
  }
}
