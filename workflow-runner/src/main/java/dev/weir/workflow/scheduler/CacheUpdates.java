package dev.weir.workflow.scheduler;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Takes in what workers say of their nodes' caches, and where HDFS has put replicas since, and
 * lists tasks where their inputs are then. Not thread-safe.
 */
final class CacheUpdates {

  /**
   * So many readers of a file are listed anew. Whoever comes free takes the first of them, and what
   * becomes ready later is listed right from the start.
   */
  private static final int MOST_LISTED = 2_048;

  private final SessionGraphs session;
  private final CacheIndex caches;

  /** A desk for the graphs of a session. */
  CacheUpdates(SessionGraphs session, CacheIndex caches) {
    this.session = session;
    this.caches = caches;
  }

  /**
   * A node keeps other files than before.
   *
   * @param kept ids of files with their sizes in bytes
   * @param gone ids of files
   */
  void news(String node, Map<String, Long> kept, Collection<String> gone) {
    kept.forEach(
        (file, bytes) -> {
          // Each worker of a node says the same.
          if (caches.keep(node, file, bytes)) {
            listAgain(file);
          }
        });
    for (String file : gone) {
      if (caches.drop(node, file)) {
        listAgain(file);
      }
    }
  }

  /**
   * HDFS holds a file on other hosts than before.
   *
   * @param places for each of them, how many bytes
   */
  void moved(String file, Map<String, Long> places) {
    session
        .known(file)
        .forEach(
            state -> {
              if (state.relocate(places)) {
                listAgain(state);
              }
            });
  }

  /** The last worker of a node is gone: nobody says any more what it keeps. */
  void forget(String node) {
    caches.forgetNode(node).forEach(this::listAgain);
  }

  private void listAgain(String id) {
    session.known(id).forEach(this::listAgain);
  }

  /** That one node more or less keeps it changes nothing once it speaks for none. */
  private boolean speaks(FileState file) {
    int kept = caches.nodes(file.id).size();
    return kept <= TaskQueue.EVERYWHERE + 1
        && caches.with(file.bytesByHost(), file.id).size() <= TaskQueue.EVERYWHERE + 1;
  }

  private void listAgain(FileState file) {
    if (!speaks(file)) {
      return;
    }
    List<TaskState> readers = file.readers;
    int most = MOST_LISTED;
    for (int i = 0; i < readers.size() && most > 0; i++) {
      TaskState reader = readers.get(i);
      if (reader.status == TaskState.Status.READY) {
        reader.graph.ready().listAgain(reader);
        most--;
      } else if (reader.ahead) {
        reader.graph.ahead().listAgain(reader);
        most--;
      }
    }
  }
}
