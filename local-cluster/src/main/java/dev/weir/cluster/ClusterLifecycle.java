package dev.weir.cluster;

import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * The parts that act on one cluster, and the lock that keeps its end apart from what makes more of
 * it: once it is closed nothing is started any more.
 */
final class ClusterLifecycle {
  private final ClusterPlan plan;
  private final NodeHost host;
  private final ProcessLauncher launcher;
  private final DaemonProbe probe;
  private final ProcessTable processes;
  private final ClusterRegistry registry;
  private final Object lock = new Object();
  private boolean closed;
  private @Nullable Thread hook;

  ClusterLifecycle(ClusterPlan plan, ClusterRegistry registry) {
    this.plan = plan;
    this.registry = registry;
    host = NodeHost.of(plan);
    launcher = new ProcessLauncher(plan, host, System.getProperty("java.home"));
    probe = new DaemonProbe(plan);
    processes = new ProcessTable(plan, host);
  }

  ClusterPlan plan() {
    return plan;
  }

  NodeHost host() {
    return host;
  }

  ProcessLauncher launcher() {
    return launcher;
  }

  DaemonProbe probe() {
    return probe;
  }

  ProcessTable processes() {
    return processes;
  }

  /** Does something that the end of the cluster must not overlap. */
  <T> T whileOpen(Action<T> action) throws IOException {
    synchronized (lock) {
      // Another process may have stopped the cluster; then its state is gone.
      if (closed || !Files.exists(plan.files().state())) {
        throw new ClusterException("The cluster in " + plan.dir() + " was stopped");
      }
      return action.run();
    }
  }

  /** Has an end of this JVM, by Ctrl-C too, take the cluster down. */
  void closeWithJvm() {
    synchronized (lock) {
      hook =
          new Thread(
              () -> {
                try {
                  close();
                } catch (IOException e) {
                  System.err.println("weir: " + e.getMessage());
                }
              },
              "close-" + plan.bridge());
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /** Lets the cluster live on when this JVM ends. */
  void outliveJvm() {
    synchronized (lock) {
      if (hook != null && hook != Thread.currentThread()) {
        try {
          Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
          // The JVM is ending: the hook waits for the lock and will find nothing to do.
        }
      }
      hook = null;
    }
  }

  /** Takes everything down; once. */
  void close() throws IOException {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      outliveJvm();
      new ClusterTeardown(plan, host, processes, registry).run();
    }
  }

  /** Takes everything down after a failure, to which a second one is added. */
  void closeAfter(Exception failure) {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Gives back an index whose network is another cluster's, which is left alone. */
  void abandon() throws IOException {
    synchronized (lock) {
      closed = true;
      outliveJvm();
      new ClusterTeardown(plan, host, processes, registry).removeFiles();
      registry.release(plan.index(), plan.dir());
    }
  }

  /** Something that may fail. */
  @FunctionalInterface
  interface Action<T> {
    T run() throws IOException;
  }
}
