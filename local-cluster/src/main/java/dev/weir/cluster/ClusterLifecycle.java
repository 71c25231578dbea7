package dev.weir.cluster;

import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.DaemonProbe;
import dev.weir.cluster.process.LogTail;
import dev.weir.cluster.process.ProcessLauncher;
import dev.weir.cluster.process.ProcessTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * The components that act on one cluster, and the lock that orders its close against all other
 * operations. A closed cluster starts no processes.
 */
final class ClusterLifecycle {
  private static final long RESTART_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long POLL_MILLIS = 250;

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
    launcher = new ProcessLauncher(plan, host);
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

  /** Runs an action while the cluster is open. A close waits for it. */
  <T> T whileOpen(Action<T> action) throws IOException {
    synchronized (lock) {
      // Another process may have stopped the cluster and so deleted its state.
      if (closed || !Files.exists(plan.files().state())) {
        throw new ClusterException("The cluster in " + plan.dir() + " was stopped");
      }
      return action.run();
    }
  }

  /** Closes the cluster when this JVM ends, also by Ctrl-C. */
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

  void outliveJvm() {
    synchronized (lock) {
      if (hook != null && hook != Thread.currentThread()) {
        try {
          Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
          // The JVM is ending. The hook waits for the lock, then finds the cluster closed.
        }
      }
      hook = null;
    }
  }

  /** Kills all processes and removes network and files. Idempotent. */
  void close() throws IOException {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      outliveJvm();
      // Processes are removed first, because they use the rest. The state is removed last, because
      // it lists what to remove.
      processes.killAll();
      host.destroy();
      removeFiles();
    }
  }

  /** Closes the cluster after a failure. A failure of the close is added as suppressed. */
  void closeAfter(Exception failure) {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Releases an index whose network belongs to another cluster. The network is left alone. */
  void abandon() throws IOException {
    synchronized (lock) {
      closed = true;
      outliveJvm();
      removeFiles();
    }
  }

  private void removeFiles() throws IOException {
    for (String child : ClusterFiles.CHILDREN) {
      Path file = plan.dir().resolve(child);
      if (!FileUtil.fullyDelete(file.toFile())) {
        throw new ClusterException("Cannot delete all of " + file);
      }
    }
    try {
      Files.deleteIfExists(plan.dir());
    } catch (DirectoryNotEmptyException e) {
      // Files that do not belong to the cluster stay.
    }
    registry.release(plan.index(), plan.dir());
  }

  /**
   * Waits until a daemon that was restarted serves.
   *
   * @throws ClusterException if the daemon dies or does not answer in time; the message has the end
   *     of its log
   */
  void awaitServing(Daemon daemon, Process process) throws IOException {
    long startNanos = System.nanoTime();
    while (!probe.isServing(daemon)) {
      if (!process.isAlive()) {
        throw failure(daemon, "ended with exit code " + process.exitValue());
      }
      if (System.nanoTime() - startNanos > RESTART_LIMIT_NANOS) {
        throw failure(
            daemon,
            "did not register within "
                + TimeUnit.NANOSECONDS.toSeconds(RESTART_LIMIT_NANOS)
                + " s");
      }
      pause();
    }
  }

  /** Describes what happened to a daemon, with the end of its log. */
  ClusterException failure(Daemon daemon, String what) {
    return new ClusterException(
        "The daemon %s %s; the end of its log:\n%s"
            .formatted(daemon.name(), what, LogTail.of(plan.files().log(daemon.name()))));
  }

  /** Waits before the next look at daemons. */
  static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for daemons");
    }
  }

  /** An operation on an open cluster. */
  @FunctionalInterface
  interface Action<T> {
    T run() throws IOException;
  }
}
