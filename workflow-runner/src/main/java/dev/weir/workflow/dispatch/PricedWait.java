package dev.weir.workflow.dispatch;

/**
 * The priced wait: a task that could start at once waits instead for a busy worker whose node has
 * more of its bytes, if that worker will have room before they would have come over a link. Waiting
 * is priced at the most that it should take, so that it hardly ever costs more than it saves: where
 * nobody knows how long something takes, or it takes longer than it should, nobody waits for it.
 * What waits is given to that worker ahead, and is taken back by the {@link Recaller} when it has
 * become the dearer way. Not thread-safe.
 */
final class PricedWait {

  /** For less nobody waits: that much is lost between two tasks. */
  private static final double LEAST_SECONDS = 0.1;

  private final Scene scene;
  private final Paces paces;
  private final Tally tally;

  /**
   * A price list.
   *
   * @param paces how long those will take that a task would wait for
   * @param tally how fast inputs have come so far
   */
  PricedWait(Scene scene, Paces paces, Tally tally) {
    this.scene = scene;
    this.paces = paces;
    this.tally = tally;
  }

  /**
   * Where a task gets on soonest.
   *
   * @param taker a worker that can start it at once
   * @return the same, or a busy worker that takes it ahead
   */
  WorkerState place(TaskState task, WorkerState taker) {
    if (task.priority > 0) {
      return taker;
    }
    double rate = tally.rate();
    double worthIt = LEAST_SECONDS * rate;
    long listed = task.bytesOn(taker.info.node());
    if (task.places.stream().noneMatch(place -> place.bytes() - listed > worthIt)) {
      return taker;
    }
    // Its node may hold them and the task be listed with others, or they may be on their way.
    long here = scene.board().ready().bytesOn(task, taker.info.node());
    here += scene.hands().coming(task, taker.info.node());
    WorkerState best = taker;
    double most = LEAST_SECONDS;
    for (Place place : task.places) {
      double saved = (place.bytes() - here) / rate;
      if (saved > most) {
        for (WorkerState worker : scene.crew().roomy().on(place.host())) {
          double gain = saved - waitSeconds(task, worker);
          if (gain > most) {
            most = gain;
            best = worker;
          }
        }
      }
    }
    return best;
  }

  /**
   * How long it would wait there at most; endless where it must not, or where nobody can tell.
   * Never less than what the {@link Recaller} expects, or it would be asked back at once.
   */
  private double waitSeconds(TaskState task, WorkerState worker) {
    if (worker.canStart(task.needs)
        || task.hasTwinOn(worker)
        || !scene.crew().allows(task, worker.info.node())) {
      return Double.POSITIVE_INFINITY;
    }
    double wait = worker.roomAfter(task.needs, running -> remaining(running, worker));
    for (TaskState before : worker.ahead()) {
      wait += Math.max(before.seconds, atMost(before, worker));
    }
    return wait;
  }

  private double remaining(TaskState running, WorkerState worker) {
    if (running.worker != worker) {
      // It is a second copy of a task that takes longer than anybody would have thought.
      return Double.POSITIVE_INFINITY;
    }
    double elapsed = Paces.elapsed(running, scene.turn().now());
    double left = atMost(running, worker) - elapsed;
    return left <= 0
        ? Double.POSITIVE_INFINITY
        : Math.max(left, paces.remaining(running, scene.turn().now()));
  }

  private double atMost(TaskState task, WorkerState worker) {
    CacheBook caches = scene.board().caches();
    double missing = task.missingOn(worker.info.node(), caches, Double.POSITIVE_INFINITY);
    double reading = missing / tally.rate();
    Paces.Pace pace = paces.of(task.task.type());
    if (pace != null) {
      return Math.max(pace.slow(), reading);
    }
    double declared = task.task.runtimeSeconds();
    return declared > 0 ? declared + reading : Double.POSITIVE_INFINITY;
  }
}
