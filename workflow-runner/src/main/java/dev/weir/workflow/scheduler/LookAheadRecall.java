package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.WorkerSet.Openings;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are taken from workers that have them ahead, because another worker has nothing to
 * do. The worker that has a task decides: once its command runs it stays where it is.
 */
final class LookAheadRecall {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** With many idle workers and little that pays, the rest waits for the next event. */
  private static final int MOST_TRIES = 16;

  private final WorkflowState board;
  private final TaskQueue ahead;
  private final CacheIndex caches;
  private final WorkerSet crew;
  private final Assignments hands;
  private final StepBuilder turn;
  private final LookAheadWaits waits;
  private final ReadRate readRate;

  /** Idle workers that are looked at before any other is again; some may not be idle any more. */
  private final Queue<WorkerState> unseen = new ArrayDeque<>();

  /** Behind the first tasks the last one that was looked at; null before the first of those. */
  private @Nullable TaskState lookedAt;

  /** The same, as it was when the present round of idle workers began. */
  private @Nullable TaskState roundBegan;

  /** A recaller of what workers have ahead of a graph. */
  LookAheadRecall(SchedulerContext scene) {
    this.board = scene.board();
    this.ahead = board.ahead();
    this.caches = board.caches();
    this.crew = scene.crew();
    this.hands = scene.hands();
    this.turn = scene.turn();
    this.waits = new LookAheadWaits(scene);
    this.readRate = scene.readRate();
  }

  /**
   * Finds something for workers that have room; to be called when no task is ready that they may
   * have. Looks at a bounded number of pairs.
   */
  void recall() {
    if (ahead.isEmpty() || crew.idle().isEmpty()) {
      return;
    }
    takers().forEach(this::recallFor);
  }

  /**
   * Those first on whose nodes there are bytes of what waits: what pays for them need not pay for
   * those who have been idle for longer. Then some of all, each in its turn: however many have no
   * room for what waits, one that has is seen.
   */
  private List<WorkerState> takers() {
    Openings idle = crew.idle();
    Set<WorkerState> takers = new LinkedHashSet<>();
    boolean fewNodes = idle.nodes().size() <= ahead.hosts().size();
    for (String node : fewNodes ? idle.nodes() : ahead.hosts()) {
      if (takers.size() == MOST_TRIES) {
        // There may be thousands.
        break;
      }
      if (!ahead.on(node).isEmpty()) {
        addNear(idle.on(node), takers);
      }
    }
    addInTurn(idle, takers);
    return List.copyOf(takers);
  }

  private static void addNear(Set<WorkerState> idle, Set<WorkerState> takers) {
    for (WorkerState worker : idle) {
      if (takers.size() == MOST_TRIES) {
        return;
      }
      if (worker.awaited == null) {
        takers.add(worker);
      }
    }
  }

  private void addInTurn(Openings idle, Set<WorkerState> takers) {
    int most = takers.size() + MOST_TRIES;
    boolean isNewRound = false;
    while (takers.size() < most) {
      WorkerState worker = unseen.poll();
      if (worker != null && idle.contains(worker) && worker.awaited == null) {
        takers.add(worker);
      } else if (worker == null && isNewRound) {
        return;
      } else if (worker == null) {
        isNewRound = true;
        beginRound(idle);
      }
    }
  }

  /**
   * All idle workers have been looked at. Each meets other tasks in the next round than in this
   * one: both go round, and might never meet otherwise.
   */
  private void beginRound(Openings idle) {
    unseen.addAll(idle.all());
    roundBegan = lastOf(behind(roundBegan));
    lookedAt = roundBegan;
  }

  private void recallFor(WorkerState taker) {
    Stream<LocalTask> near = ahead.on(taker.info.node()).stream().limit(MOST_TRIES);
    first(near.map(LocalTask::task), taker)
        .or(() -> first(ahead.all().stream().limit(MOST_TRIES), taker))
        .or(() -> first(others().stream(), taker))
        .ifPresent(task -> hands.recall(task, taker));
  }

  private Optional<TaskState> first(Stream<TaskState> tasks, WorkerState taker) {
    return tasks.filter(task -> pays(task, taker)).findFirst();
  }

  /**
   * Some of those that come behind the first, each in its turn: however many wait there for good
   * reason, one that does not is seen.
   */
  private List<TaskState> others() {
    List<TaskState> next = behind(lookedAt);
    lookedAt = lastOf(next);
    return next;
  }

  /** Those behind one of them; behind the first ones for null. */
  private List<TaskState> behind(@Nullable TaskState last) {
    if (ahead.size() <= MOST_TRIES) {
      return List.of();
    }
    Stream<TaskState> rest =
        last == null
            ? ahead.all().stream().skip(MOST_TRIES)
            : ahead.all().tailSet(last, false).stream();
    return rest.limit(MOST_TRIES).toList();
  }

  /** Null when there are none behind it. */
  private static @Nullable TaskState lastOf(List<TaskState> some) {
    return some.size() < MOST_TRIES ? null : some.get(MOST_TRIES - 1);
  }

  /**
   * Whether moving what the taker's node lacks takes less time than what it would wait for yet, or
   * no more than it has waited already since it could have been begun. What somebody wants first
   * waits for nobody.
   */
  private boolean pays(TaskState task, WorkerState taker) {
    WorkerState holder = task.worker;
    if (holder == null
        || holder == taker
        || task.hasTwinOn(taker)
        || !taker.canStart(task.needs)
        || !crew.allows(task, taker.info.node())) {
      return false;
    }
    if (board.isUrgent(task)) {
      return true;
    }
    double waited = (turn.now() - task.waitsSince) / MILLIS_PER_SECOND;
    double most = Math.max(waited, waits.seconds(task, holder)) * readRate.rate();
    return task.missingOn(taker.info.node(), caches, most) <= most;
  }
}
