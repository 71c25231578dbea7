package dev.weir.workflow.scheduler;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Handles events about node caches. A part of a {@link Dispatcher}, for the same thread. */
public final class NodeCaches {

  private final WorkerSet workers;
  private final StepBuilder stepBuilder;
  private final CacheUpdates cacheUpdates;
  private final CacheIndex caches;
  private final Supplier<Step> step;

  /**
   * Creates the part.
   *
   * @param step assigns tasks after an event
   */
  NodeCaches(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet workers,
      StepBuilder stepBuilder,
      Supplier<Step> step) {
    this.caches = caches;
    this.workers = workers;
    this.stepBuilder = stepBuilder;
    this.cacheUpdates = new CacheUpdates(session, caches);
    this.step = step;
  }

  /** Removes the files of a forgotten graph. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> caches.forgetFile(file.id()));
  }

  /**
   * Handles a worker's report of changes of its node's cache. It only affects where tasks are
   * assigned: a cached file may be evicted before a task reads it.
   *
   * @param workerId id of the worker; reports of an unknown one are ignored
   * @param kept ids of added files, with their sizes in bytes
   * @param gone ids of removed files
   */
  public Step cached(String workerId, Map<String, Long> kept, List<String> gone, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    if (worker != null) {
      cacheUpdates.update(worker.info().node(), kept, gone);
    }
    return step.get();
  }

  /** Handles a worker that is lost or dismissed. */
  void workerLeft(WorkerInfo worker) {
    if (workers.workersOn(worker.node()) == 0) {
      cacheUpdates.forget(worker.node());
    }
  }
}
