package dev.weir.hints.store;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.jspecify.annotations.Nullable;

/**
 * Watches for changes below the hint sets, with one client after the other. Must be closed before
 * its client, because Curator logs an error for a watch on a closed client; starts nothing after it
 * was closed. Thread-safe.
 */
final class SetsWatch implements AutoCloseable {
  private final String sets;
  private final ChangedSets changed;
  private final Runnable load;
  private @Nullable PersistentWatcher watcher;
  private boolean closed;

  /**
   * Creates a watch that has not begun.
   *
   * @param sets path of the hint sets
   * @param changed records the changes
   * @param load called after a change; must not block
   */
  SetsWatch(String sets, ChangedSets changed, Runnable load) {
    this.sets = sets;
    this.changed = changed;
    this.load = load;
  }

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
              changed.record(event);
              load.run();
            });
    fresh
        .getResetListenable()
        .addListener(
            () -> {
              changed.markAll();
              load.run();
            });
    fresh.start();
    watcher = fresh;
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    PersistentWatcher last = watcher;
    watcher = null;
    if (last != null) {
      last.close();
    }
  }
}
