package dev.weir.hints.store;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.jspecify.annotations.Nullable;

/**
 * Hears of changes below the hint sets, with one client after the other. It begins nothing when it
 * is closed, and is to be closed before the client: Curator logs an error for a watch that begins
 * on a client that is gone. Thread-safe.
 */
final class SetsWatch implements AutoCloseable {
  private final String sets;
  private final ChangedSets changed;
  private final Runnable load;
  private @Nullable PersistentWatcher watcher;
  private boolean closed;

  /**
   * A watch that has not begun.
   *
   * @param sets path of the hint sets
   * @param changed is told what has changed
   * @param load called when something has; does not block
   */
  SetsWatch(String sets, ChangedSets changed, Runnable load) {
    this.sets = sets;
    this.changed = changed;
    this.load = load;
  }

  /** Begins with a client that is connected, in the place of the one before. */
  synchronized void begin(CuratorFramework client) {
    if (closed) {
      return;
    }
    PersistentWatcher fresh = new PersistentWatcher(client, sets, true);
    fresh
        .getListenable()
        .addListener(
            event -> {
              changed.heard(event);
              load.run();
            });
    fresh
        .getResetListenable()
        .addListener(
            () -> {
              changed.all();
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
