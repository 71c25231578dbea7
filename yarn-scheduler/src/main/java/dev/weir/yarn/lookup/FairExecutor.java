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
 * Shares some threads among users, who take turns. Each may have as many tasks run as threads are
 * idle then, and as many wait as there is room left: the first takes half of it at most, the next
 * half of the rest, and who comes later always finds some. So tasks of one user that take long, or
 * are many, keep no other from being served. Safe for any thread.
 */
final class FairExecutor {

  /** Tasks that run at one time, of all users. */
  static final int THREADS = 16;

  /** Tasks that wait, of all users; half of it for one. */
  static final int ROOM = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(FairExecutor.class);

  private final Executor executor;
  private final int threads;
  private final int room;

  /** In the order of their turns. Whoever has nothing to do is not in it. */
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

  private record Turn(String user, Task task) {}

  FairExecutor(Executor executor) {
    this(executor, THREADS, ROOM);
  }

  FairExecutor(Executor executor, int threads, int room) {
    this.executor = executor;
    this.threads = threads;
    this.room = room;
  }

  /**
   * Has something done when it is the user's turn.
   *
   * @param refused called, at once or later, if it is not going to be done
   */
  void execute(String user, Runnable work, Runnable refused) {
    boolean taken;
    boolean another = false;
    synchronized (users) {
      User its = users.computeIfAbsent(user, absent -> new User());
      taken = !closed && its.waiting.size() < room - waiting;
      if (taken) {
        its.waiting.add(new Task(work, refused));
        waiting++;
        another = workers < threads;
        workers += another ? 1 : 0;
      } else {
        forgetIfIdle(user, its);
      }
    }
    if (!taken) {
      refused.run();
    } else if (another) {
      begin();
    }
  }

  /** Drops what waits, of which nobody is told, and refuses what comes. */
  void close() {
    synchronized (users) {
      closed = true;
      users.values().removeIf(user -> user.running == 0);
      users.values().forEach(user -> user.waiting.clear());
      waiting = 0;
    }
  }

  private void begin() {
    try {
      executor.execute(this::work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The latter is how Java says that there can be no more threads.
      giveUp();
    }
  }

  /** Where no thread is left to do what waits nobody would ever come back to it. */
  private void giveUp() {
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
    for (Turn turn = next(null); turn != null; turn = next(turn)) {
      try {
        turn.task().work().run();
      } catch (RuntimeException | Error e) {
        // An Error that left this thread would end the ResourceManager.
        LOG.warn("A look-up for {} fails in a way that was not foreseen", turn.user(), e);
      }
    }
  }

  /** What this thread is to do after what it has done; null if there is nothing for it. */
  private @Nullable Turn next(@Nullable Turn done) {
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
          return new Turn(name, user.waiting.remove());
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
