package dev.weir.hints.store;

import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Which sets are to be read again, gathered from the events of a persistent recursive watch. For
 * any thread.
 */
final class ChangedSets {
  private final String prefix;
  private boolean all = true;
  private Set<String> ids = new HashSet<>();

  /**
   * All are to be read.
   *
   * @param parent the znode below which the sets are
   */
  ChangedSets(String parent) {
    this.prefix = parent + "/";
  }

  /**
   * What to read.
   *
   * @param all whether any set may have changed
   * @param ids those that have
   */
  record Changes(boolean all, Set<String> ids) {}

  /** Events tell of the connection too: what happens while it is away is never told. */
  synchronized void heard(WatchedEvent event) {
    if (event.getType() == EventType.None) {
      all = true;
    } else if (event.getPath().startsWith(prefix)) {
      String below = event.getPath().substring(prefix.length());
      int end = below.indexOf('/');
      ids.add(end < 0 ? below : below.substring(0, end));
    }
  }

  /** Any set may have changed unheard. */
  synchronized void all() {
    all = true;
  }

  /** What is to be read by now; from then on only later changes are. */
  synchronized Changes take() {
    Changes taken = new Changes(all, ids);
    all = false;
    ids = new HashSet<>();
    return taken;
  }
}
