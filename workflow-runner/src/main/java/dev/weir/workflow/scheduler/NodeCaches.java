package dev.weir.workflow.scheduler;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the nodes of a run have that nobody wrote there by a task: what they keep beside HDFS, as
 * workers say, what is copied there, and replicas that HDFS makes later. A part of a {@link
 * Dispatcher}, for the same thread.
 */
public final class NodeCaches {

  private final WorkerSet crew;
  private final StepBuilder turn;
  private final CacheUpdates desk;
  private final CopyAheadTracker copies;
  private final CacheIndex caches;
  private final SessionGraphs session;
  private final Supplier<Step> step;

  /**
   * The caches of a session's nodes.
   *
   * @param copies has files copied
   * @param step assigns what can be assigned after an event
   */
  NodeCaches(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet crew,
      StepBuilder turn,
      CopyAheadTracker copies,
      Supplier<Step> step) {
    this.session = session;
    this.caches = caches;
    this.crew = crew;
    this.turn = turn;
    this.desk = new CacheUpdates(session, caches);
    this.copies = copies;
    this.step = step;
  }

  /**
   * Lets inputs of jobs, or of the graph without a prefix, be copied ahead of them, or not any
   * more.
   *
   * @param whether whether they may; without effect unless tasks go where their bytes are
   */
  public void copyAhead(boolean whether) {
    for (WorkflowState graph : session.all()) {
      if (graph.id.isEmpty()) {
        graph.copiesAhead = whether && graph.policy() == Policy.DATA_AWARE;
      }
    }
    copies.graphsChanged();
  }

  /** Graphs have come. */
  void graphsChanged() {
    copies.graphsChanged();
  }

  /** A graph is forgotten. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> caches.forgetFile(file.id));
    copies.forget(graph);
  }

  /**
   * A worker says what its node keeps for the next task that reads it. It changes where tasks are
   * best, and nothing else: what is kept may be gone when a task comes for it.
   *
   * @param workerId id of the worker; what an unknown one says is ignored
   * @param kept ids of files that the node has come to keep, with their sizes in bytes
   * @param gone ids of files that it keeps no more
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step cached(String workerId, Map<String, Long> kept, List<String> gone, long time) {
    turn.begin(time);
    WorkerState worker = crew.get(workerId);
    if (worker != null) {
      desk.news(worker.info.node(), kept, gone);
      copies.kept(kept.keySet());
    }
    return step.get();
  }

  /**
   * HDFS has made replicas after a file was stored. Tasks go there, and the file is lost only with
   * all of these hosts.
   *
   * @param file id of a file; one that is not in HDFS, as far as is known, is ignored
   * @param places for each host that holds some of it now, how many bytes
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step moved(String file, Map<String, Long> places, long time) {
    turn.begin(time);
    desk.moved(file, places);
    return step.get();
  }

  /**
   * A worker says that an {@link Effect.Copy} is over. One that it was not told to make is ignored.
   *
   * @param workerId id of the worker
   * @param number of the copy
   * @param bytes how many bytes its node keeps of it; 0 when nothing came of it
   * @param hasRoom whether that was for another reason than want of room
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step copied(String workerId, long number, long bytes, boolean hasRoom, long time) {
    turn.begin(time);
    copies.over(workerId, number, bytes, hasRoom);
    copies.next();
    return step.get();
  }

  /**
   * What was copied before tasks that read it were ready.
   *
   * @return the numbers of this moment
   */
  public CopyAheadTotals copiedAhead() {
    return new CopyAheadTotals(copies.bytes(), copies.usedBytes());
  }

  /** A worker is gone, or let go. */
  void left(WorkerInfo worker) {
    copies.left(worker);
    if (crew.workersOn(worker.node()) == 0) {
      desk.forget(worker.node());
    }
  }

  /** A task has read its inputs on a node. */
  void read(TaskState task, String node) {
    copies.read(task, node);
  }

  /** Time has passed. */
  void tick() {
    copies.tick();
  }
}
