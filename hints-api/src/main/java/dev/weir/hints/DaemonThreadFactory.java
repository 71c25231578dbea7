package dev.weir.hints;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates threads that do not keep the process alive. */
public final class DaemonThreadFactory {
  private DaemonThreadFactory() {}

  /**
   * Returns a factory of daemon threads.
   *
   * @param name the name of all its threads
   */
  public static ThreadFactory named(String name) {
    return task -> thread(task, name);
  }

  /**
   * Returns a factory of daemon threads with numbers from 1.
   *
   * @param prefix comes before the number in the name of a thread
   */
  public static ThreadFactory numbered(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> thread(task, prefix + number.incrementAndGet());
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
