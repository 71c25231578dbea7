package dev.weir.service.access;

import dev.weir.service.part.Problem;
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
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls file systems as proxy users of the user that the process is logged in as. Connections are
 * kept between requests, results are not. Hadoop keeps a connection per user object, so each user
 * keeps one object; otherwise each request would open a new connection.
 */
public final class ProxyUserFileSystems implements CallerFileSystems {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyUserFileSystems.class);
  private static final int MOST_IDLE = 200;

  private final Configuration configuration;
  private final Set<String> others;
  private final UserGroupInformation service;
  private final Object monitor = new Object();
  private final Map<String, Session> sessions = new HashMap<>();
  private boolean closed;

  /**
   * Creates the file systems for the user that the process is logged in as.
   *
   * @throws IOException if there is no such user
   */
  public ProxyUserFileSystems(Configuration configuration, CallerSettings settings)
      throws IOException {
    this.configuration = bounded(configuration, settings);
    this.others = new HashSet<>(settings.fileSystems());
    others.addAll(configuration.getTrimmedStringCollection("dfs.nameservices"));
    this.service = UserGroupInformation.getLoginUser();
  }

  @Override
  public String self() {
    return service.getShortUserName();
  }

  @Override
  public <T> T ask(String user, String authority, Question<T> question) throws IOException {
    Session session = lease(user);
    try {
      PrivilegedExceptionAction<T> action = () -> question.of(fileSystem(authority));
      return session.user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted during a call to a file system");
      interrupted.initCause(e);
      throw interrupted;
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          Problem.invalid("", "the file system rejects the path: " + e.getMessage()), e);
    } catch (UndeclaredThrowableException e) {
      throw new IOException(e.getCause());
    } finally {
      giveBack(session);
    }
  }

  @Override
  public void close() {
    List<Session> idle = new ArrayList<>();
    synchronized (monitor) {
      closed = true;
      sessions.values().removeIf(session -> session.leases == 0 && idle.add(session));
    }
    idle.forEach(this::closeFileSystems);
  }

  /** Copies the configuration, with calls bounded in time and without following hints. */
  private static Configuration bounded(Configuration configuration, CallerSettings settings) {
    Configuration bounded = new Configuration(configuration);
    int millis = Math.toIntExact(Math.min(settings.timeout().toMillis(), Integer.MAX_VALUE));
    bounded.setInt("ipc.client.connect.timeout", millis);
    bounded.setInt("ipc.client.connect.max.retries", 1);
    bounded.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    bounded.setInt("ipc.client.rpc-timeout.ms", millis);
    bounded.setInt("dfs.client.failover.max.attempts", 4);
    bounded.setInt("dfs.client.failover.sleep.max.millis", 2000);
    // The checksum of a file's bytes, independent of its block size.
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
    if (!others.contains(authority)) {
      throw new ProblemException(
          Problem.invalid(
              "",
              "the file system '"
                  + authority
                  + "' is not known here; an administrator can add it to "
                  + CallerSettings.FILE_SYSTEMS.key(),
              others.stream().sorted().toList()));
    }
    return FileSystem.get(URI.create("hdfs://" + authority), configuration);
  }

  private Session lease(String user) throws IOException {
    List<Session> evicted = new ArrayList<>();
    try {
      synchronized (monitor) {
        if (closed) {
          throw new IOException("the service is stopping");
        }
        evict(evicted);
        Session session = sessions.computeIfAbsent(user, this::open);
        session.leases++;
        return session;
      }
    } finally {
      evicted.forEach(this::closeFileSystems);
    }
  }

  private void giveBack(Session session) {
    boolean last;
    synchronized (monitor) {
      session.leases--;
      session.used = System.nanoTime();
      last = closed && session.leases == 0 && sessions.remove(session.name, session);
    }
    if (last) {
      closeFileSystems(session);
    }
  }

  /**
   * Called only while the monitor is held. Evicts the least recently used sessions if there are too
   * many.
   */
  private void evict(List<Session> evicted) {
    while (sessions.size() > MOST_IDLE) {
      Session oldest = null;
      for (Iterator<Session> all = sessions.values().iterator(); all.hasNext(); ) {
        Session session = all.next();
        // Parts of the service keep file systems of the service's own session, so it stays open.
        boolean idle = session.leases == 0 && !session.user.equals(service);
        if (idle && (oldest == null || session.used - oldest.used < 0)) {
          oldest = session;
        }
      }
      if (oldest == null) {
        return;
      }
      sessions.remove(oldest.name);
      evicted.add(oldest);
    }
  }

  private Session open(String user) {
    return new Session(
        user, user.equals(self()) ? service : UserGroupInformation.createProxyUser(user, service));
  }

  private void closeFileSystems(Session session) {
    try {
      FileSystem.closeAllForUGI(session.user);
    } catch (IOException e) {
      LOG.warn("The file systems of {} did not close", session.name, e);
    }
  }

  private static final class Session {
    private final String name;
    private final UserGroupInformation user;
    private int leases;
    private long used;

    Session(String name, UserGroupInformation user) {
      this.name = name;
      this.user = user;
    }
  }
}
