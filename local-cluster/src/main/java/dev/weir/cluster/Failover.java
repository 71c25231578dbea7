package dev.weir.cluster;

import dev.weir.cluster.config.NameServiceConfig;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.LogTail;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ha.FailoverController;
import org.apache.hadoop.ha.FailoverFailedException;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.HAServiceProtocolHelper;
import org.apache.hadoop.ha.HAServiceTarget;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Chooses which of two NameNodes is active, as {@code hdfs haadmin} does. */
final class Failover {
  private static final String NO_RETRIES =
      CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY + "=0";
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final long POLL_MILLIS = 250;

  private final ClusterLifecycle cluster;
  private final Configuration conf;

  Failover(ClusterLifecycle cluster) {
    this.cluster = cluster;
    conf = new Configuration(LocalCluster.configurationOf(cluster.plan()));
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
  }

  /**
   * Makes a NameNode active. The NameNode that is active now becomes the standby, if it answers.
   */
  void to(Daemon next) throws IOException {
    Daemon now = cluster.probe().activeNameNode().orElse(null);
    if (next.equals(now)) {
      return;
    }
    if (cluster.plan().servers().secure()) {
      byCommand(now, next);
      return;
    }
    asSuperuser(
        () -> {
          if (now == null) {
            activate(target(next));
          } else {
            new FailoverController(conf, RequestSource.REQUEST_BY_USER)
                .failover(target(now), target(next), false, false);
          }
          return null;
        });
  }

  /** Calls haadmin in another process, because all clients in a process authenticate alike. */
  private void byCommand(@Nullable Daemon now, Daemon next) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", NO_RETRIES));
    if (now == null) {
      // The other NameNode is not active, and need not answer.
      arguments.addAll(List.of("-transitionToActive", "--forceactive"));
    } else {
      arguments.addAll(List.of("-failover", id(now)));
    }
    arguments.add(id(next));
    long startNanos = System.nanoTime();
    while (true) {
      Path log = cluster.plan().files().log("failover");
      Process process =
          cluster
              .launcher()
              .java(ClusterPlan.MASTER, DFSHAAdmin.class.getName(), arguments)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        if (process.waitFor() == 0) {
          return;
        }
        if (System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS)) {
          throw new ClusterException(
              "The failover of the NameNodes failed; the end of the log "
                  + log
                  + ":\n"
                  + LogTail.of(log));
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while a NameNode became active");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static String id(Daemon nameNode) {
    return NameServiceConfig.id(nameNode.node());
  }

  /** A NameNode that has just started answers over HTTP before it answers RPC calls. */
  private void activate(HAServiceTarget target) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    while (true) {
      try {
        HAServiceProtocolHelper.transitionToActive(
            target.getProxy(conf, TIMEOUT_MILLIS),
            new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
        return;
      } catch (ConnectException e) {
        if (System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS)) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  private HAServiceTarget target(Daemon nameNode) {
    return new NNHAServiceTarget(conf, NameServiceConfig.NAME, id(nameNode));
  }

  private void asSuperuser(PrivilegedExceptionAction<Void> action) throws IOException {
    try {
      UserGroupInformation.createRemoteUser(System.getProperty("user.name")).doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a NameNode became active");
    } catch (UndeclaredThrowableException e) {
      if (e.getCause() instanceof FailoverFailedException failed) {
        throw new ClusterException(
            "The failover of the NameNodes failed: " + failed.getMessage(), e);
      }
      throw e;
    }
  }
}
