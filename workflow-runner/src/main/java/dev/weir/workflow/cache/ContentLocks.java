package dev.weir.workflow.cache;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The locks under which contents are fetched into a node's cache. Who fetches one ahead of tasks,
 * and may have been told to wait with that, hears when a task of this process waits for the lock:
 * for that content, or for another with the same lock. (Of tasks of other workers of the node the
 * ApplicationMaster tells.) Thread-safe.
 */
final class ContentLocks {

  private final NodeLocks locks;

  /** How many tasks hold a lock or wait for it; by its number. */
  private final Map<Integer, Integer> wanted = new HashMap<>();

  /** Who holds a lock ahead of tasks; by its number. */
  private final Map<Integer, Runnable> ahead = new HashMap<>();

  ContentLocks(NodeLocks locks) {
    this.locks = locks;
  }

  /**
   * Does something for a task while holding a content's lock.
   *
   * @throws IOException as {@link NodeLocks#holding} does
   */
  <T> T forTask(CacheKey key, NodeLocks.Work<T> work) throws IOException {
    int number = key.lock();
    want(number);
    try {
      return locks.holding(number, work);
    } finally {
      leave(number);
    }
  }

  /**
   * Does something ahead of tasks while holding a content's lock.
   *
   * @param hurry told, at any time while the lock is held, that a task waits for it; more than once
   *     if several do; must not block
   * @throws IOException as {@link NodeLocks#holding} does
   */
  <T> T aheadOfTasks(CacheKey key, Runnable hurry, NodeLocks.Work<T> work) throws IOException {
    int number = key.lock();
    return locks.holding(
        number,
        () -> {
          hold(number, hurry);
          try {
            return work.done();
          } finally {
            letGo(number);
          }
        });
  }

  private synchronized void want(int number) {
    wanted.merge(number, 1, Integer::sum);
    Runnable hurry = ahead.get(number);
    if (hurry != null) {
      hurry.run();
    }
  }

  private synchronized void leave(int number) {
    wanted.computeIfPresent(number, (same, count) -> count == 1 ? null : count - 1);
  }

  private synchronized void hold(int number, Runnable hurry) {
    ahead.put(number, hurry);
    if (wanted.containsKey(number)) {
      hurry.run();
    }
  }

  private synchronized void letGo(int number) {
    ahead.remove(number);
  }
}
