package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.CacheIndex;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.TaskQueue;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;
import java.util.Map;

/** Updates the index of node caches, and those of tasks by host. Not thread-safe. */
final class NodeCaches {

  /**
   * How many readers of a file are reindexed. Free workers take the first of them, and tasks that
   * become ready later are indexed correctly from the start.
   */
  private static final int MOST_LISTED = 2_048;

  private final SessionGraphs session;
  private final CacheIndex caches;

  NodeCaches(SessionGraphs session) {
    this.session = session;
    this.caches = session.state.caches();
  }

  /** Removes the files of a forgotten graph. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> caches.forgetFile(file.id()));
  }

  /** Handles a worker's report of changes of its node's cache. */
  void update(String node, Map<String, Long> kept, List<String> gone) {
    kept.forEach(
        (file, bytes) -> {
          // Each worker of a node reports the same.
          if (caches.add(node, file, bytes)) {
            reindex(file);
          }
        });
    for (String file : gone) {
      if (caches.remove(node, file)) {
        reindex(file);
      }
    }
  }

  /** Handles a worker that is lost or dismissed: no other one may report the cache of its node. */
  void workerLeft(WorkerInfo worker) {
    if (session.state.workers().workersOn(worker.node()) == 0) {
      caches.forgetNode(worker.node()).forEach(this::reindex);
    }
  }

  private void reindex(String id) {
    session.known(id).filter(this::hasFewNodes).forEach(this::reindex);
  }

  /**
   * Whether a file is on few enough nodes to be indexed, so that a further node makes a difference.
   */
  private boolean hasFewNodes(FileState file) {
    int kept = caches.nodes(file.id()).size();
    return kept <= TaskQueue.MOST_HOSTS + 1
        && caches.merged(file.bytesByHost(), file.id()).size() <= TaskQueue.MOST_HOSTS + 1;
  }

  private void reindex(FileState file) {
    file.readers().stream()
        .filter(reader -> reader.status() == TaskState.Status.READY || reader.isAhead())
        .limit(MOST_LISTED)
        .forEach(
            reader -> {
              WorkflowState graph = reader.graph();
              (reader.isAhead() ? graph.ahead() : graph.ready()).reindex(reader);
            });
  }
}
