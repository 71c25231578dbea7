package dev.weir.workflow.scheduler;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Updates the cache index, and the indexes of tasks by host accordingly. Not thread-safe. */
final class CacheUpdates {

  /**
   * How many readers of a file are reindexed. Free workers take the first of them, and tasks that
   * become ready later are indexed correctly from the start.
   */
  private static final int MOST_LISTED = 2_048;

  private final SessionGraphs session;
  private final CacheIndex caches;

  CacheUpdates(SessionGraphs session, CacheIndex caches) {
    this.session = session;
    this.caches = caches;
  }

  /**
   * Updates the cached files of a node.
   *
   * @param kept ids of added files with their sizes in bytes
   * @param gone ids of removed files
   */
  void update(String node, Map<String, Long> kept, Collection<String> gone) {
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

  /** Removes a node whose last worker is gone: no worker reports its cache any more. */
  void forget(String node) {
    caches.forgetNode(node).forEach(this::reindex);
  }

  private void reindex(String id) {
    session.known(id).forEach(this::reindex);
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
    if (!hasFewNodes(file)) {
      return;
    }
    List<TaskState> readers = file.readers();
    int most = MOST_LISTED;
    for (int i = 0; i < readers.size() && most > 0; i++) {
      TaskState reader = readers.get(i);
      if (reader.status() == TaskState.Status.READY) {
        reader.graph().ready().reindex(reader);
        most--;
      } else if (reader.isAhead()) {
        reader.graph().ahead().reindex(reader);
        most--;
      }
    }
  }
}
