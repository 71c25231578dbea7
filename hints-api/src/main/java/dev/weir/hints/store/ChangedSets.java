package dev.weir.hints.store;

import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Collects from the events of a persistent recursive watch which sets must be read again.
 * Thread-safe.
 */
final class ChangedSets {
  private final String prefix;
  private boolean all = true;
  private Set<String> ids = new HashSet<>();

  /**
   * Starts with all sets.
   *
   * @param parent the parent znode of the sets
   */
  ChangedSets(String parent) {
    this.prefix = parent + "/";
  }

  /** What to read. */
  record Changes(boolean all, Set<String> ids) {}

  /**
   * Records an event. A change of the connection state counts as a change of all sets, because
   * ZooKeeper reports no changes during a disconnection.
   */
  synchronized void record(WatchedEvent event) {
    if (event.getType() == EventType.None) {
      all = true;
    } else if (event.getPath().startsWith(prefix)) {
      String below = event.getPath().substring(prefix.length());
      int end = below.indexOf('/');
      ids.add(end < 0 ? below : below.substring(0, end));
    }
  }

  /** Records that any set may have changed. */
  synchronized void markAll() {
    all = true;
  }

  /** Takes what must be read. Later calls return only later changes. */
  synchronized Changes take() {
    Changes taken = new Changes(all, ids);
    all = false;
    ids = new HashSet<>();
    return taken;
  }
}
