package dev.weir.workflow.scheduler;

import java.util.Set;

/**
 * The priced wait: a task that could start at once waits instead for a busy worker whose node has
 * more of its bytes, if that worker will have room before they would have come over a link. Waiting
 * is priced at the most that it should take, so that it hardly ever costs more than it saves: where
 * nobody knows how long something takes, or it takes longer than it should, nobody waits for it.
 * What waits is given to that worker ahead, and is taken back by the {@link LookAheadRecall} when
 * it has waited for as long as moving its bytes takes, or waiting has become the dearer way before.
 * It waits so once until it begins or something else keeps it, such as a pause. Not thread-safe.
 */
final class PricedWait {

  /** For less nobody waits: that much is lost between two tasks. */
  private static final double LEAST_SECONDS = 0.1;

  private final SchedulerContext scene;
  private final CacheIndex caches;
  private final ReadRate readRate;

  /** A price list. */
  PricedWait(SchedulerContext scene) {
    this.scene = scene;
    this.caches = scene.board().caches();
    this.readRate = scene.readRate();
  }

  /**
   * Where a task gets on soonest; one that is to wait is marked as doing so from now on.
   *
   * @param task a ready one
   * @param taker a worker that can start it at once
   * @return the same, or a busy worker that takes it ahead
   */
  WorkerState place(TaskState task, WorkerState taker) {
    if (scene.board().isUrgent(task) || task.isKeptWaiting() || !hasMoreElsewhere(task, taker)) {
      return taker;
    }
    double rate = readRate.rate();
    String node = taker.info.node();
    // Its node may hold more than it is listed with, and more may be on its way.
    long missing = task.missingOn(node, caches, Double.POSITIVE_INFINITY);
    missing -= scene.hands().coming(task, node);
    WorkerState best = taker;
    double most = LEAST_SECONDS;
    for (LocalTask place : task.places) {
      Set<WorkerState> there = scene.crew().roomy().on(place.host());
      double lacks =
          there.isEmpty() ? missing : task.missingOn(place.host(), caches, missing - most * rate);
      // Never more than moving it takes, by which it is asked back.
      double saved = (missing - lacks) / rate;
      if (saved > most) {
        for (WorkerState worker : there) {
          double gain = saved - waitSeconds(task, worker, saved - most);
          if (gain > most) {
            most = gain;
            best = worker;
          }
        }
      }
    }
    if (best != taker) {
      task.waitsSince = scene.turn().now();
    }
    return best;
  }

  /** As it is listed: of most tasks the taker has as much as anybody, which is soon seen. */
  private boolean hasMoreElsewhere(TaskState task, WorkerState taker) {
    double worthIt = task.bytesOn(taker.info.node()) + LEAST_SECONDS * readRate.rate();
    for (LocalTask place : task.places) {
      if (place.bytes() > worthIt) {
        return true;
      }
    }
    return false;
  }

  /**
   * How long it would wait there at most; endless where it must not, or where nobody can tell.
   * Never less than what the {@link LookAheadRecall} expects, or it would be asked back at once. A
   * worker with a free core has room for others: a large task does not keep it from them.
   *
   * @param most it does not matter by how much it is more than this
   */
  private double waitSeconds(TaskState task, WorkerState worker, double most) {
    if (worker.idle() || task.hasTwinOn(worker) || !scene.crew().allows(task, worker.info.node())) {
      return Double.POSITIVE_INFINITY;
    }
    double wait = worker.roomAfter(task.needs, running -> remaining(running, worker, most));
    for (TaskState before : worker.ahead()) {
      if (wait > most) {
        break;
      }
      wait += atMost(before, worker, most - wait);
    }
    return wait;
  }

  private double remaining(TaskState running, WorkerState worker, double most) {
    if (running.worker != worker) {
      // It is a second copy of a task that takes longer than anybody would have thought.
      return Double.POSITIVE_INFINITY;
    }
    long now = scene.turn().now();
    double elapsed = RuntimeEstimates.elapsed(running, now);
    double left = atMost(running, worker, most + elapsed) - elapsed;
    return left <= 0
        ? Double.POSITIVE_INFINITY
        : Math.max(left, running.graph.paces.remaining(running, now));
  }

  /** How long a task takes in all; some number above {@code most} when it takes longer. */
  private double atMost(TaskState task, WorkerState worker, double most) {
    double rate = readRate.rate();
    double reading = task.missingOn(worker.info.node(), caches, most * rate) / rate;
    RuntimeEstimates.Pace pace = task.graph.paces.of(task.task.type());
    if (pace != null) {
      return Math.max(pace.slow(), reading);
    }
    double declared = task.task.runtimeSeconds();
    return declared > 0 ? declared + reading : Double.POSITIVE_INFINITY;
  }
}
