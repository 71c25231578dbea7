package dev.weir.workflow.scheduler;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Handles events about node caches and late replicas. A part of a {@link Dispatcher}, for the same
 * thread.
 */
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
   * @param time milliseconds since the epoch
   * @return records and effects
   */
  public Step cached(String workerId, Map<String, Long> kept, List<String> gone, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    if (worker != null) {
      cacheUpdates.update(worker.info().node(), kept, gone);
    }
    return step.get();
  }

  /**
   * Handles replicas that HDFS has made after a file was stored. Tasks may go there, and the file
   * counts as lost only with all of these hosts.
   *
   * @param file id of a file; one that is not in HDFS, as far as is known, is ignored
   * @param places for each host that has some of it now, how many bytes
   * @param time milliseconds since the epoch
   * @return records and effects
   */
  public Step moved(String file, Map<String, Long> places, long time) {
    stepBuilder.begin(time);
    cacheUpdates.relocated(file, places);
    return step.get();
  }

  /** Handles a worker that is lost or dismissed. */
  void workerLeft(WorkerInfo worker) {
    if (workers.workersOn(worker.node()) == 0) {
      cacheUpdates.forget(worker.node());
    }
  }
}
