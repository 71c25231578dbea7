package dev.weir.workflow.scheduler;

import java.util.Set;

/**
 * Lets a task wait for a busy worker instead of starting at once, if that worker's node has more of
 * its bytes and will have room before the bytes would have moved. The wait is estimated
 * pessimistically, so that it rarely costs more than it saves. If a run time is unknown, or a task
 * exceeds its estimate, no task waits for it.
 *
 * <p>The task is assigned ahead to the busy worker. {@link LookAheadRecall} takes it back when it
 * has waited as long as moving takes, or earlier when waiting has become dearer. The task waits
 * only once until it starts, or until something else delays it, such as a pause. Not thread-safe.
 */
final class PricedWait {

  /** A smaller gain is not worth a wait: the gap between two tasks takes this long. */
  private static final double LEAST_SECONDS = 0.1;

  private final SchedulerContext context;
  private final CacheIndex caches;
  private final ReadRate readRate;

  PricedWait(SchedulerContext context) {
    this.context = context;
    this.caches = context.graph().caches();
    this.readRate = context.readRate();
  }

  /**
   * Chooses the worker where a task can start reading or running soonest. A task that is to wait is
   * marked.
   *
   * @param task a ready task
   * @param target a worker that can start it at once
   * @return the same worker, or a busy one that gets it ahead
   */
  WorkerState place(TaskState task, WorkerState target) {
    if (context.graph().isUrgent(task)
        || task.hasWaitedForWorker()
        || !hasMoreElsewhere(task, target)) {
      return target;
    }
    task.forgetWaits();
    double rate = readRate.rate();
    String node = target.info().node();
    // The index may list fewer bytes than the node has.
    long missing = task.missingOn(node, caches, Double.POSITIVE_INFINITY);
    WorkerState best = target;
    double most = LEAST_SECONDS;
    for (LocalTask place : task.hostEntries()) {
      Set<WorkerState> there = context.workers().acceptingAhead().on(place.host());
      double lacks =
          there.isEmpty() ? missing : task.missingOn(place.host(), caches, missing - most * rate);
      // The wait never exceeds the time of the move, after which the task is taken back.
      double saved = (missing - lacks) / rate;
      if (saved > most) {
        for (WorkerState worker : there) {
          double wait = waitSeconds(task, worker, saved - most);
          if (wait < Double.POSITIVE_INFINITY) {
            task.noteWait(place.host(), wait);
          }
          double gain = saved - wait;
          if (gain > most) {
            most = gain;
            best = worker;
          }
        }
      }
    }
    if (best != target) {
      task.startWait(context.stepBuilder().now());
    }
    return best;
  }

  /** A cheap check by the index: for most tasks, no node has more bytes than the target. */
  private boolean hasMoreElsewhere(TaskState task, WorkerState target) {
    double leastBytes = task.bytesOn(target.info().node()) + LEAST_SECONDS * readRate.rate();
    for (LocalTask place : task.hostEntries()) {
      if (place.bytes() > leastBytes) {
        return true;
      }
    }
    return false;
  }

  /**
   * The longest time that the task should wait for a worker; infinite when it must not wait or the
   * time is unknown. Never less than the estimate of {@link LookAheadRecall}, or the task would be
   * taken back at once. A worker with a free core is not waited for, so that a large task does not
   * keep others from it.
   *
   * @param most the result may be inexact above this
   */
  private double waitSeconds(TaskState task, WorkerState worker, double most) {
    if (worker.idle()
        || task.hasSecondCopyOn(worker)
        || !context.workers().allows(task, worker.info().node())) {
      return Double.POSITIVE_INFINITY;
    }
    double wait = worker.roomAfter(task.needs(), running -> remaining(running, worker, most));
    for (TaskState before : worker.ahead()) {
      if (wait > most) {
        break;
      }
      wait += atMost(before, worker, most - wait);
    }
    return wait;
  }

  private double remaining(TaskState running, WorkerState worker, double most) {
    if (running.worker() != worker) {
      // A second copy of a task that is already slower than expected.
      return Double.POSITIVE_INFINITY;
    }
    long now = context.stepBuilder().now();
    double elapsed = RuntimeEstimates.elapsed(running, now);
    double left = atMost(running, worker, most + elapsed) - elapsed;
    return left <= 0
        ? Double.POSITIVE_INFINITY
        : Math.max(left, running.graph().estimates().remaining(running, now));
  }

  /** The upper quartile of a task's time in all; inexact above {@code most}. */
  private double atMost(TaskState task, WorkerState worker, double most) {
    double rate = readRate.rate();
    double reading = task.missingOn(worker.info().node(), caches, most * rate) / rate;
    RuntimeEstimates.Estimate estimate = task.graph().estimates().of(task.task().type());
    if (estimate != null) {
      return Math.max(estimate.slow(), reading);
    }
    double declared = task.task().runtimeSeconds();
    return declared > 0 ? declared + reading : Double.POSITIVE_INFINITY;
  }
}
