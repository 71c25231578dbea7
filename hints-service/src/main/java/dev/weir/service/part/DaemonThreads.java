package dev.weir.service.part;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads, which do not keep the process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Returns a factory of threads with a name prefix and a number. */
  public static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
