package dev.weir.workflow.session;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the process alive. */
final class DaemonThreadFactory {

  private DaemonThreadFactory() {}

  /** Makes threads of that name, which are not started. */
  static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
