package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which task that a worker has ahead is begun by another that has room, before all that is ready: a
 * task whose way to the end is longer than theirs and that will wait where it is for much longer
 * than moving its bytes takes. Else what the end of the run waits for would lie behind a busy
 * worker while others begin what nobody waits for. The one that is to have it keeps room for it
 * until the holder has answered. Not thread-safe.
 */
final class RankPreemption {

  /** It waits for so many times as long as its bytes take over a link. */
  private static final double LEAST_TIMES = 4;

  /** For less nothing is asked back: so much is lost by asking. */
  private static final double LEAST_SECONDS = 0.1;

  /** Holders answer at once, or hang. */
  private static final long PATIENCE_MILLIS = 1_000;

  /** So many tasks are looked at in one round, and so many workers for each. */
  private static final int MOST_TRIES = 8;

  private final WorkflowState board;
  private final TaskQueue ahead;
  private final CacheIndex caches;
  private final WorkerSet crew;
  private final Assignments hands;
  private final StepBuilder turn;
  private final ReadRate readRate;
  private final LookAheadWaits waits;

  /** Who keeps room for what. */
  private final List<Kept> kept = new ArrayList<>();

  /** A worker with room for a task that another has ahead, since a time in milliseconds. */
  private record Kept(WorkerState taker, TaskState task, long since) {}

  /** One that has asked for nothing. */
  RankPreemption(SchedulerContext scene) {
    this.board = scene.board();
    this.ahead = board.ahead();
    this.caches = board.caches();
    this.crew = scene.crew();
    this.hands = scene.hands();
    this.turn = scene.turn();
    this.readRate = scene.readRate();
    this.waits = new LookAheadWaits(scene);
  }

  /**
   * Gives what was asked back and is there to who waits for it, and asks back more; to be called
   * before what is ready is given out.
   */
  void overtake() {
    settle();
    if (ahead.isEmpty() || crew.idle().isEmpty() || board.ready().isEmpty()) {
      return;
    }
    TaskState next = board.ready().all().first();
    double least = next.rank + RankPreference.LEAST_PART * board.paces.expected(next);
    for (TaskState task : ahead.all().stream().limit(MOST_TRIES).toList()) {
      if (task.priority == next.priority && task.rank > least) {
        overtakeWith(task);
      }
    }
  }

  private void overtakeWith(TaskState task) {
    WorkerState holder = task.worker;
    double waits = holder == null ? 0 : this.waits.seconds(task, holder) - LEAST_SECONDS;
    WorkerState taker = waits <= 0 ? null : taker(task);
    if (taker == null || taker == holder) {
      return;
    }
    double most = waits / LEAST_TIMES * readRate.rate();
    if (task.missingOn(taker.info.node(), caches, most) <= most) {
      kept.add(new Kept(taker, task, turn.now()));
      taker.keepRoom(task.needs);
      crew.changed(taker);
      hands.recall(task, taker);
    }
  }

  private void settle() {
    Iterator<Kept> each = kept.iterator();
    while (each.hasNext()) {
      Kept one = each.next();
      boolean comes = one.task().awaitedBy == one.taker();
      if (!comes || turn.now() - one.since() >= PATIENCE_MILLIS) {
        each.remove();
        if (comes) {
          one.task().awaitedNoLonger();
        }
        one.taker().freeRoom();
        crew.changed(one.taker());
        if (isNext(one.task()) && mayStart(one.task(), one.taker())) {
          hands.give(one.task(), one.taker());
        }
      }
    }
  }

  /** Somebody may have come to want another first. */
  private boolean isNext(TaskState task) {
    return task.status == Status.READY && task.priority >= board.ready().all().first().priority;
  }

  /** Of those with room who has most of a task; null when nobody may have it. */
  private @Nullable WorkerState taker(TaskState task) {
    Predicate<WorkerState> may = worker -> worker.awaited == null && mayStart(task, worker);
    WorkerState best = null;
    long most = 0;
    for (LocalTask place : task.places) {
      WorkerState there = place.bytes() > most ? first(crew.idle().on(place.host()), may) : null;
      best = there == null ? best : there;
      most = there == null ? most : place.bytes();
    }
    return best == null ? first(crew.idle().all(), may) : best;
  }

  private static @Nullable WorkerState first(Set<WorkerState> some, Predicate<WorkerState> may) {
    return some.stream().limit(MOST_TRIES).filter(may).findFirst().orElse(null);
  }

  private boolean mayStart(TaskState task, WorkerState worker) {
    String node = worker.info.node();
    return crew.get(worker.info.id()) == worker
        && worker.canStart(task.needs)
        && !task.hasTwinOn(worker)
        && crew.allows(task, node);
  }
}
