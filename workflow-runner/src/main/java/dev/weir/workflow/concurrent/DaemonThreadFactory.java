package dev.weir.workflow.concurrent;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the process alive. */
public final class DaemonThreadFactory {

  private DaemonThreadFactory() {}

  /** Makes threads of that name, which are not started. */
  public static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
