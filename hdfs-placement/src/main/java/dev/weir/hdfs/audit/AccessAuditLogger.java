package dev.weir.hdfs.audit;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often files are opened and written, for the hint {@code auto}. It is one of the
 * NameNode's audit loggers ({@code dfs.namenode.audit.loggers}) and writes no log.
 *
 * <p>A NameNode stops if an audit logger fails, and a client's call fails if one throws. So this
 * one never throws and never blocks. If it cannot start, it logs that and counts nothing.
 */
public final class AccessAuditLogger extends HdfsAuditLogger {
  /** The key of the time in which a count halves. */
  public static final String HALF_LIFE_KEY = "weir.replication.auto.half-life";

  /** The caller context of calls that do not count. */
  public static final String UNCOUNTED = "weir-service";

  private static final Logger LOG = LoggerFactory.getLogger(AccessAuditLogger.class);
  private static final int PATHS = 100_000;
  private static final long DEFAULT_HALF_LIFE_SECONDS = TimeUnit.DAYS.toSeconds(1);

  private volatile @Nullable AccessCounter counter;

  /** Called by the NameNode. */
  public AccessAuditLogger() {}

  @Override
  public void initialize(Configuration configuration) {
    try {
      long seconds =
          configuration.getTimeDuration(HALF_LIFE_KEY, DEFAULT_HALF_LIFE_SECONDS, TimeUnit.SECONDS);
      if (seconds <= 0) {
        throw new IllegalArgumentException(HALF_LIFE_KEY + " is not positive; write such as 1d");
      }
      AccessCounter started =
          new AccessCounter(PATHS, Duration.ofSeconds(seconds), System::currentTimeMillis);
      register(new AccessCountsBean(started));
      started.start();
      counter = started;
      LOG.info("Counting accesses to files; a count halves in {} s", seconds);
    } catch (JMException | RuntimeException | Error e) {
      LOG.error("Accesses to files are not counted, so auto gives no file more replicas", e);
    }
  }

  /** A process that formats a NameNode and then runs it has an older logger, which is idle. */
  private static void register(AccessCountsBean bean) throws JMException {
    ObjectName name = new ObjectName(AccessCountsBean.OBJECT_NAME);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (server.isRegistered(name)) {
      server.unregisterMBean(name);
    }
    server.registerMBean(bean, name);
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      @Nullable String userName,
      @Nullable InetAddress address,
      @Nullable String command,
      @Nullable String source,
      @Nullable String destination,
      @Nullable FileStatus status,
      @Nullable CallerContext context,
      @Nullable UserGroupInformation user,
      @Nullable DelegationTokenSecretManager tokens) {
    AccessCounter current = counter;
    if (current == null || !succeeded || command == null || source == null) {
      return;
    }
    switch (command) {
      case "open" -> {
        if (!isUncounted(context)) {
          current.opened(source);
        }
      }
      case "create", "append", "truncate", "concat" -> current.written(source);
      default -> {}
    }
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      @Nullable String userName,
      @Nullable InetAddress address,
      @Nullable String command,
      @Nullable String source,
      @Nullable String destination,
      @Nullable FileStatus status,
      @Nullable UserGroupInformation user,
      @Nullable DelegationTokenSecretManager tokens) {
    logAuditEvent(
        succeeded, userName, address, command, source, destination, status, null, user, tokens);
  }

  private static boolean isUncounted(@Nullable CallerContext context) {
    String text = context == null ? null : context.getContext();
    return text != null && text.startsWith(UNCOUNTED);
  }

  /** Replaces the counter, for tests. */
  void count(AccessCounter replacement) {
    counter = replacement;
  }
}
