package dev.weir.workflow.cache;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The locks under which contents are fetched into a node's cache. A copy ahead of tasks, which may
 * be paused, is notified when a task of this process waits for the same lock. The ApplicationMaster
 * reports waiting tasks of the node's other workers. Thread-safe.
 */
final class ContentLocks {

  private final NodeLocks locks;

  /** The number of tasks that hold or await a lock, by its number. */
  private final Map<Integer, Integer> wanted = new HashMap<>();

  /** The copy that holds a lock ahead of tasks, by its number. */
  private final Map<Integer, Runnable> ahead = new HashMap<>();

  ContentLocks(NodeLocks locks) {
    this.locks = locks;
  }

  /**
   * Does a task's work under a content's lock.
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
   * Does the work of a copy ahead of tasks under a content's lock.
   *
   * @param hurry called when a task waits for the lock, once for each task; must not block
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
            release(number);
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

  private synchronized void release(int number) {
    ahead.remove(number);
  }
}
