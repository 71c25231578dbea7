package dev.weir.workflow.scheduler;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Handles events about node caches, copies ahead and late replicas. A part of a {@link Dispatcher},
 * for the same thread.
 */
public final class NodeCaches {

  private final WorkerSet workers;
  private final StepBuilder stepBuilder;
  private final CacheUpdates cacheUpdates;
  private final CopyAheadTracker copies;
  private final CacheIndex caches;
  private final SessionGraphs session;
  private final Supplier<Step> step;

  /**
   * Creates the part.
   *
   * @param copies tracks copies ahead
   * @param step assigns tasks after an event
   */
  NodeCaches(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet workers,
      StepBuilder stepBuilder,
      CopyAheadTracker copies,
      Supplier<Step> step) {
    this.session = session;
    this.caches = caches;
    this.workers = workers;
    this.stepBuilder = stepBuilder;
    this.cacheUpdates = new CacheUpdates(session, caches);
    this.copies = copies;
    this.step = step;
  }

  /**
   * Sets whether inputs of jobs, or of the graph without a prefix, are copied ahead.
   *
   * @param whether whether they are; without effect unless tasks go where their bytes are
   */
  public void copyAhead(boolean whether) {
    for (WorkflowState graph : session.all()) {
      if (graph.id().isEmpty()) {
        graph.allowCopyAhead(whether);
      }
    }
    copies.graphsChanged();
  }

  /** Handles added graphs. */
  void graphsChanged() {
    copies.graphsChanged();
  }

  /** Removes the files of a forgotten graph. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> caches.forgetFile(file.id()));
    copies.forget(graph);
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
      copies.kept(kept.keySet());
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

  /**
   * Handles a worker's report of the end of an {@link Effect.Copy}. An unknown copy is ignored.
   *
   * @param workerId id of the worker
   * @param number number of the copy
   * @param bytes how many bytes its node caches; 0 when the copy failed
   * @param hasRoom false when it failed for lack of room
   * @param time milliseconds since the epoch
   * @return records and effects
   */
  public Step copied(String workerId, long number, long bytes, boolean hasRoom, long time) {
    stepBuilder.begin(time);
    copies.over(workerId, number, bytes, hasRoom);
    copies.next();
    return step.get();
  }

  /**
   * Returns the totals of copies ahead.
   *
   * @return the current totals
   */
  public CopyAheadTotals copiedAhead() {
    return new CopyAheadTotals(copies.bytes(), copies.usedBytes());
  }

  /** Handles a worker that is lost or dismissed. */
  void workerLeft(WorkerInfo worker) {
    copies.workerLeft(worker);
    if (workers.workersOn(worker.node()) == 0) {
      cacheUpdates.forget(worker.node());
    }
  }

  /** Counts copies that a task has read. */
  void read(TaskState task, String node) {
    copies.read(task, node);
  }

  /** Handles the passing of time. */
  void tick() {
    copies.tick();
  }
}
