package dev.weir.yarn.lookup;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file system object for each user who lately named files. To make one takes longer than a
 * look-up, and Hadoop's own cache would keep one for each user for ever. Safe for any thread.
 */
final class UserFileSystems implements AutoCloseable {

  /**
   * Hadoop's calls of one user share a connection, with two threads, only while it is the same
   * object that stands for the user; such an object is small.
   */
  private static final int MOST_USERS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(UserFileSystems.class);

  private final Configuration conf;
  private final LruMap<String, Lease> leases;
  private final LruMap<String, UserGroupInformation> identities = new LruMap<>(MOST_USERS);
  private boolean closed;

  UserFileSystems(Configuration conf, int most) {
    this.conf = conf;
    this.leases = new LruMap<>(most);
  }

  /** What is done with a file system. */
  @FunctionalInterface
  interface Use<T> {
    T with(FileSystem fs) throws IOException;
  }

  /** A file system and how many threads use it; the pool itself counts as one until it lets go. */
  private static final class Lease {
    private final UserGroupInformation user;
    private final FileSystem fs;
    private int users = 1;

    Lease(UserGroupInformation user, FileSystem fs) {
      this.user = user;
      this.fs = fs;
    }

    synchronized void take() {
      users++;
    }

    void release() {
      synchronized (this) {
        users--;
        if (users > 0) {
          return;
        }
      }
      try {
        fs.close();
      } catch (IOException e) {
        LOG.debug("Cannot close the file system of {}", user, e);
      }
    }
  }

  /** Does something as a user. */
  <T> T as(String user, Use<T> use) throws IOException, InterruptedException {
    Lease lease = take(user);
    try {
      return lease.user.doAs((PrivilegedExceptionAction<T>) () -> use.with(lease.fs));
    } finally {
      lease.release();
    }
  }

  private Lease take(String user) throws IOException, InterruptedException {
    synchronized (leases) {
      Lease known = leases.get(user);
      if (known != null) {
        known.take();
        return known;
      }
    }
    UserGroupInformation ugi = identity(user);
    Lease made =
        new Lease(
            ugi,
            ugi.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(conf)));
    made.take();
    keep(user, made);
    return made;
  }

  private UserGroupInformation identity(String user) throws IOException {
    synchronized (leases) {
      if (closed) {
        throw new IOException("Not asked for " + user + ": the ResourceManager is not active now");
      }
      UserGroupInformation same = identities.get(user);
      if (same != null) {
        return same;
      }
    }
    UserGroupInformation made = login(user);
    synchronized (leases) {
      return identities.orPut(user, () -> made);
    }
  }

  private void keep(String user, Lease made) {
    Lease gone;
    synchronized (leases) {
      gone = closed ? made : leases.put(user, made);
    }
    if (gone != null) {
      gone.release();
    }
  }

  /** Closes all, those in use when they are let go; none is made any more. */
  @Override
  public void close() {
    List<Lease> all;
    synchronized (leases) {
      closed = true;
      all = leases.removeAll();
      identities.removeAll();
    }
    all.forEach(Lease::release);
  }

  /**
   * A user in whose name servers are called. With Kerberos the NameNode must allow the
   * ResourceManager to act for others. Without, it believes any name, and to ask for such leave
   * would only make one more thing to configure.
   */
  static UserGroupInformation login(String user) throws IOException {
    UserGroupInformation login = UserGroupInformation.getLoginUser();
    if (login.getShortUserName().equals(user)) {
      return login;
    }
    return UserGroupInformation.isSecurityEnabled()
        ? UserGroupInformation.createProxyUser(user, login)
        : UserGroupInformation.createRemoteUser(user);
  }
}
