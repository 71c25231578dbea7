package dev.weir.service.access;

import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls file systems as proxy users of the user that the process is logged in as. Connections are
 * kept between requests, results are not. Hadoop opens a connection per user object, so one object
 * per user is kept.
 */
public final class ProxyUserFileSystems implements CallerFileSystems {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyUserFileSystems.class);
  private static final int MAX_USERS = 200;

  /** Looking up locations is audited as opening, but reads no file. */
  private static final CallerContext UNCOUNTED =
      new CallerContext.Builder(AccessAuditLogger.UNCOUNTED).build();

  private final Configuration configuration;
  private final Set<String> allowedAuthorities;
  private final UserGroupInformation service;
  private final Object monitor = new Object();
  private final Map<String, UserConnections> byUser = new HashMap<>();
  private boolean closed;

  /**
   * Creates the file systems for the user that the process is logged in as.
   *
   * @throws IOException if there is no such user
   */
  public ProxyUserFileSystems(Configuration configuration, CallerSettings settings)
      throws IOException {
    this.configuration = withTimeouts(configuration, settings);
    this.allowedAuthorities = new HashSet<>(settings.fileSystems());
    allowedAuthorities.addAll(configuration.getTrimmedStringCollection("dfs.nameservices"));
    this.service = UserGroupInformation.getLoginUser();
  }

  @Override
  public String self() {
    return service.getShortUserName();
  }

  @Override
  public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
      throws IOException {
    UserConnections connections = acquire(user);
    try {
      PrivilegedExceptionAction<T> action =
          () -> {
            CallerContext before = CallerContext.getCurrent();
            CallerContext.setCurrent(UNCOUNTED);
            try {
              return operation.apply(fileSystem(authority));
            } finally {
              CallerContext.setCurrent(before);
            }
          };
      return connections.user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted during a call to a file system");
      interrupted.initCause(e);
      throw interrupted;
    } catch (IllegalArgumentException e) {
      throw ProblemException.invalid("", "the file system rejects the path: " + e.getMessage())
          .because(e);
    } catch (UndeclaredThrowableException e) {
      throw new IOException(e.getCause());
    } finally {
      release(connections);
    }
  }

  @Override
  public void close() {
    List<UserConnections> idle = new ArrayList<>();
    synchronized (monitor) {
      closed = true;
      byUser.values().removeIf(connections -> connections.leases == 0 && idle.add(connections));
    }
    idle.forEach(this::closeFileSystems);
  }

  /** Copies the configuration. Calls have a timeout, and file systems follow no hints. */
  private static Configuration withTimeouts(Configuration configuration, CallerSettings settings) {
    Configuration bounded = new Configuration(configuration);
    int millis = Math.toIntExact(Math.min(settings.timeout().toMillis(), Integer.MAX_VALUE));
    bounded.setInt("ipc.client.connect.timeout", millis);
    bounded.setInt("ipc.client.connect.max.retries", 1);
    bounded.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    bounded.setInt("ipc.client.rpc-timeout.ms", millis);
    bounded.setInt("dfs.client.failover.max.attempts", 4);
    bounded.setInt("dfs.client.failover.sleep.max.millis", 2000);
    // Makes checksums independent of the block size.
    bounded.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
    bounded.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    return bounded;
  }

  private FileSystem fileSystem(String authority) throws IOException {
    if (authority.equals(DEFAULT)
        || authority.equals(FileSystem.getDefaultUri(configuration).getAuthority())) {
      return FileSystem.get(configuration);
    }
    // A caller must not make the service connect to an arbitrary host with the service's ticket.
    if (!allowedAuthorities.contains(authority)) {
      throw ProblemException.invalid(
          "",
          "the file system '"
              + authority
              + "' is not known here; an administrator can add it to "
              + CallerSettings.FILE_SYSTEMS.key(),
          allowedAuthorities.stream().sorted().toList());
    }
    return FileSystem.get(URI.create("hdfs://" + authority), configuration);
  }

  private UserConnections acquire(String user) throws IOException {
    List<UserConnections> evicted = new ArrayList<>();
    try {
      synchronized (monitor) {
        if (closed) {
          throw new IOException("the service is stopping");
        }
        evict(evicted);
        UserConnections connections = byUser.computeIfAbsent(user, this::open);
        connections.leases++;
        return connections;
      }
    } finally {
      evicted.forEach(this::closeFileSystems);
    }
  }

  private void release(UserConnections connections) {
    boolean last;
    synchronized (monitor) {
      connections.leases--;
      connections.lastUsed = System.nanoTime();
      last = closed && connections.leases == 0 && byUser.remove(connections.name, connections);
    }
    if (last) {
      closeFileSystems(connections);
    }
  }

  /**
   * Evicts the least recently used users if there are too many. Must be called with the monitor
   * held.
   */
  private void evict(List<UserConnections> evicted) {
    while (byUser.size() > MAX_USERS) {
      UserConnections oldest = null;
      for (Iterator<UserConnections> all = byUser.values().iterator(); all.hasNext(); ) {
        UserConnections connections = all.next();
        // Parts of the service keep file systems of the service's own user, so these stay open.
        boolean idle = connections.leases == 0 && !connections.user.equals(service);
        if (idle && (oldest == null || connections.lastUsed - oldest.lastUsed < 0)) {
          oldest = connections;
        }
      }
      if (oldest == null) {
        return;
      }
      byUser.remove(oldest.name);
      evicted.add(oldest);
    }
  }

  private UserConnections open(String user) {
    return new UserConnections(
        user, user.equals(self()) ? service : UserGroupInformation.createProxyUser(user, service));
  }

  private void closeFileSystems(UserConnections connections) {
    try {
      FileSystem.closeAllForUGI(connections.user);
    } catch (IOException e) {
      LOG.warn("The file systems of {} did not close", connections.name, e);
    }
  }

  private static final class UserConnections {
    private final String name;
    private final UserGroupInformation user;
    private int leases;
    private long lastUsed;

    UserConnections(String name, UserGroupInformation user) {
      this.name = name;
      this.user = user;
    }
  }
}
