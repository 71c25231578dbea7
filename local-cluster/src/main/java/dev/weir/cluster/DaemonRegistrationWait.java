package dev.weir.cluster;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.LogTail;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Waits for one daemon that was restarted. */
final class DaemonRegistrationWait {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long POLL_MILLIS = 250;

  private final ClusterLifecycle cluster;
  private final Daemon daemon;
  private final Process process;

  DaemonRegistrationWait(ClusterLifecycle cluster, Daemon daemon, Process process) {
    this.cluster = cluster;
    this.daemon = daemon;
    this.process = process;
  }

  /**
   * Waits until the daemon serves.
   *
   * @throws ClusterException if the daemon dies or does not answer in time; the message has the end
   *     of its log
   */
  void await() throws IOException {
    long startNanos = System.nanoTime();
    while (!cluster.probe().isServing(daemon)) {
      if (!process.isAlive()) {
        throw failure("ended with exit code " + process.exitValue());
      }
      if (System.nanoTime() - startNanos > LIMIT_NANOS) {
        throw failure(
            "did not register within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s");
      }
      pause();
    }
  }

  private ClusterException failure(String what) {
    return new ClusterException(
        "The daemon %s %s; the end of its log:\n%s"
            .formatted(daemon.name(), what, LogTail.of(cluster.plan().files().log(daemon.name()))));
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a daemon started");
    }
  }
}
