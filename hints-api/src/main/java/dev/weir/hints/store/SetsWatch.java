package dev.weir.hints.store;

import java.util.HashSet;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Watches for changes below the hint sets, with one client after the other, and collects which sets
 * must be read again. Must be closed before its client, because Curator logs an error for a watch
 * on a closed client; starts nothing after it was closed. Thread-safe.
 */
final class SetsWatch implements AutoCloseable {
  private final String sets;
  private final Runnable load;
  private @Nullable PersistentWatcher watcher;
  private boolean closed;
  private boolean all = true;
  private Set<String> ids = new HashSet<>();

  /**
   * Creates a watch that has not begun. All sets must be read.
   *
   * @param sets path of the hint sets
   * @param load called after a change; must not block
   */
  SetsWatch(String sets, Runnable load) {
    this.sets = sets;
    this.load = load;
  }

  record Changes(boolean all, Set<String> ids) {}

  /** Starts watching with a connected client, replacing the previous one. */
  synchronized void begin(CuratorFramework client) {
    if (closed) {
      return;
    }
    PersistentWatcher fresh = new PersistentWatcher(client, sets, true);
    fresh
        .getListenable()
        .addListener(
            event -> {
              record(event);
              load.run();
            });
    fresh
        .getResetListenable()
        .addListener(
            () -> {
              markAll();
              load.run();
            });
    fresh.start();
    watcher = fresh;
  }

  /**
   * Records an event. A change of the connection state counts as a change of all sets, because
   * ZooKeeper reports no changes during a disconnection.
   */
  private synchronized void record(WatchedEvent event) {
    if (event.getType() == EventType.None) {
      all = true;
    } else if (event.getPath().startsWith(sets + "/")) {
      String below = event.getPath().substring(sets.length() + 1);
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

  /** Idempotent. */
  @Override
  public void close() {
    PersistentWatcher last;
    synchronized (this) {
      closed = true;
      last = watcher;
      watcher = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
