package dev.weir.workflow.concurrent;

import java.util.concurrent.ThreadFactory;

/** Creates threads that do not keep the process alive. */
public final class DaemonThreadFactory {

  private DaemonThreadFactory() {}

  /** Returns a factory of daemon threads with this name. */
  public static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
