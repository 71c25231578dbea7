package dev.weir.yarn.lookup;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares threads fairly among users, round robin. A user may use at most half of the free threads
 * and half of the free queue space. So slow or numerous tasks of one user do not starve others.
 * Thread-safe.
 */
final class FairExecutor {

  /** The most tasks that run at one time, of all users. */
  static final int THREADS = 16;

  /** The most tasks that wait, of all users; one user may take half. */
  static final int CAPACITY = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(FairExecutor.class);

  private final Executor executor;
  private final int threads;
  private final int capacity;

  /** Users in the order in which they are served. Users without tasks are removed. */
  private final Map<String, User> users = new LinkedHashMap<>();

  private boolean closed;
  private int workers;
  private int running;
  private int waiting;

  private static final class User {
    private final Deque<Task> waiting = new ArrayDeque<>();
    private int running;
  }

  private record Task(Runnable work, Runnable refused) {}

  private record UserTask(String user, Task task) {}

  FairExecutor(Executor executor) {
    this(executor, THREADS, CAPACITY);
  }

  FairExecutor(Executor executor, int threads, int capacity) {
    this.executor = executor;
    this.threads = threads;
    this.capacity = capacity;
  }

  /**
   * Queues a task of a user.
   *
   * @param refused called, now or later, if the task will not run
   */
  void execute(String user, Runnable work, Runnable refused) {
    boolean accepted;
    boolean needsWorker = false;
    synchronized (users) {
      User its = users.computeIfAbsent(user, absent -> new User());
      accepted = !closed && its.waiting.size() < capacity - waiting;
      if (accepted) {
        its.waiting.add(new Task(work, refused));
        waiting++;
        needsWorker = workers < threads;
        workers += needsWorker ? 1 : 0;
      } else {
        forgetIfIdle(user, its);
      }
    }
    if (!accepted) {
      refused.run();
    } else if (needsWorker) {
      startWorker();
    }
  }

  /** Drops waiting tasks without calling their {@code refused}, and refuses new ones. */
  void close() {
    synchronized (users) {
      closed = true;
      users.values().removeIf(user -> user.running == 0);
      users.values().forEach(user -> user.waiting.clear());
      waiting = 0;
    }
  }

  private void startWorker() {
    try {
      executor.execute(this::work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Java throws OutOfMemoryError if it cannot create a thread.
      workerFailed();
    }
  }

  /** Refuses all waiting tasks when no thread is left to run them. */
  private void workerFailed() {
    Deque<Task> left = new ArrayDeque<>();
    synchronized (users) {
      workers--;
      if (workers == 0) {
        users.values().forEach(user -> left.addAll(user.waiting));
        users.clear();
        waiting = 0;
      }
    }
    left.forEach(task -> task.refused().run());
  }

  private void work() {
    for (UserTask current = next(null); current != null; current = next(current)) {
      try {
        current.task().work().run();
      } catch (RuntimeException | Error e) {
        // An Error that leaves this thread would end the ResourceManager.
        LOG.warn("A lookup for {} failed unexpectedly", current.user(), e);
      }
    }
  }

  /** The next task for this thread after the finished one; null if there is none. */
  private @Nullable UserTask next(@Nullable UserTask done) {
    synchronized (users) {
      if (done != null) {
        ended(done.user());
      }
      Iterator<Map.Entry<String, User>> inOrder = users.entrySet().iterator();
      while (inOrder.hasNext()) {
        Map.Entry<String, User> entry = inOrder.next();
        String name = entry.getKey();
        User user = entry.getValue();
        if (!user.waiting.isEmpty() && user.running < threads - running) {
          inOrder.remove();
          users.put(name, user);
          user.running++;
          running++;
          waiting--;
          return new UserTask(name, user.waiting.remove());
        }
      }
      workers--;
      return null;
    }
  }

  private void ended(String name) {
    running--;
    User user = users.get(name);
    if (user != null) {
      user.running--;
      forgetIfIdle(name, user);
    }
  }

  private void forgetIfIdle(String name, User user) {
    if (user.running == 0 && user.waiting.isEmpty()) {
      users.remove(name);
    }
  }
}
