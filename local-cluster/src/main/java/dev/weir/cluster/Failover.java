package dev.weir.cluster;

import dev.weir.cluster.config.NameServiceConfig;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.LogTail;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of two NameNodes is active, by {@code hdfs haadmin} in another process: all clients
 * in a process authenticate alike, and this one need not be HDFS's superuser.
 */
final class Failover {
  private static final String NO_RETRIES =
      CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY + "=0";
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ClusterLifecycle cluster;

  Failover(ClusterLifecycle cluster) {
    this.cluster = cluster;
  }

  /**
   * Makes a NameNode active. The NameNode that is active now becomes the standby, if it answers. A
   * NameNode that has just started answers over HTTP before it answers RPC calls, so this method
   * retries.
   */
  void to(Daemon next) throws IOException {
    Daemon now = cluster.probe().activeNameNode().orElse(null);
    if (next.equals(now)) {
      return;
    }
    Path log = cluster.plan().files().log("failover");
    long startNanos = System.nanoTime();
    while (!succeeds(now, next, log)) {
      if (System.nanoTime() - startNanos > LIMIT_NANOS) {
        throw new ClusterException(
            "The failover of the NameNodes failed; the end of the log "
                + log
                + ":\n"
                + LogTail.of(log));
      }
      ClusterLifecycle.pause();
    }
  }

  private boolean succeeds(@Nullable Daemon now, Daemon next, Path log) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", NO_RETRIES));
    if (now == null) {
      // The other NameNode is not active, and need not answer.
      arguments.addAll(List.of("-transitionToActive", "--forceactive"));
    } else {
      arguments.addAll(List.of("-failover", id(now)));
    }
    arguments.add(id(next));
    Process process =
        cluster
            .launcher()
            .java(ClusterPlan.MASTER, DFSHAAdmin.class.getName(), arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a NameNode became active");
    } finally {
      process.destroyForcibly();
    }
  }

  private static String id(Daemon nameNode) {
    return NameServiceConfig.id(nameNode.node());
  }
}
