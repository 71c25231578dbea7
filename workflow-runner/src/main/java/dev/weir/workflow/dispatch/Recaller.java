package dev.weir.workflow.dispatch;

import dev.weir.workflow.dispatch.Crew.Openings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which tasks are taken from workers that have them ahead, because another worker has nothing to
 * do. The worker that has a task decides: once its command runs it stays where it is.
 */
final class Recaller {

  /** With many idle workers and little that pays, the rest waits for the next event. */
  private static final int MOST_TRIES = 16;

  private final TaskQueue ahead;
  private final CacheBook caches;
  private final Crew crew;
  private final Hands hands;
  private final Turn turn;
  private final Paces paces;
  private final Tally tally;

  /**
   * A recaller.
   *
   * @param paces how long those will take that a task waits for
   * @param tally how fast inputs have come so far
   */
  Recaller(Scene scene, Paces paces, Tally tally) {
    this.ahead = scene.hands().ahead();
    this.caches = scene.board().caches();
    this.crew = scene.crew();
    this.hands = scene.hands();
    this.turn = scene.turn();
    this.paces = paces;
    this.tally = tally;
  }

  /**
   * Finds something for workers that have room; to be called when no task is ready that they may
   * have.
   */
  void recall() {
    if (ahead.isEmpty() || crew.idle().isEmpty()) {
      return;
    }
    takers().forEach(this::recallFor);
  }

  /**
   * Those first on whose nodes there are bytes of what waits: what pays for them need not pay for
   * those who have been idle for longer.
   */
  private List<WorkerState> takers() {
    Openings idle = crew.idle();
    Set<WorkerState> takers = new LinkedHashSet<>();
    boolean fewNodes = idle.nodes().size() <= ahead.hosts().size();
    for (String node : fewNodes ? idle.nodes() : ahead.hosts()) {
      if (!ahead.on(node).isEmpty()) {
        add(idle.on(node), takers);
      }
    }
    add(idle.all(), takers);
    return List.copyOf(takers);
  }

  private static void add(Set<WorkerState> idle, Set<WorkerState> takers) {
    for (WorkerState worker : idle) {
      if (takers.size() == MOST_TRIES) {
        return;
      }
      if (worker.awaited == null) {
        takers.add(worker);
      }
    }
  }

  private void recallFor(WorkerState taker) {
    int tries = 0;
    for (Place place : ahead.on(taker.info.node())) {
      if (pays(place.task(), taker)) {
        hands.recall(place.task(), taker);
        return;
      }
      if (++tries == MOST_TRIES) {
        break;
      }
    }
    tries = 0;
    for (TaskState task : ahead.all()) {
      if (pays(task, taker)) {
        hands.recall(task, taker);
        return;
      }
      if (++tries == MOST_TRIES) {
        return;
      }
    }
  }

  /** Whether moving what the taker's node lacks takes less time than what it would wait for. */
  private boolean pays(TaskState task, WorkerState taker) {
    WorkerState holder = task.worker;
    if (holder == null
        || holder == taker
        || task.hasTwinOn(taker)
        || !taker.canStart(task.needs)
        || !crew.allows(task, taker.info.node())) {
      return false;
    }
    double most = waitSeconds(task, holder) * tally.rate();
    return task.missingOn(taker.info.node(), caches, most) <= most;
  }

  /** How long it would wait where it is: for the first that ends, and for those before it. */
  private double waitSeconds(TaskState task, WorkerState holder) {
    double first = Double.MAX_VALUE;
    for (TaskState running : holder.running()) {
      first = Math.min(first, paces.remaining(running, turn.now()));
    }
    double before = 0;
    for (TaskState other : holder.ahead()) {
      if (other == task) {
        break;
      }
      before += paces.expected(other);
    }
    return first + before / crew.workerSize().cores();
  }
}
