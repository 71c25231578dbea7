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
 * Keeps one file system object for each user who named files recently. Creating one takes longer
 * than a lookup, and Hadoop's own cache would keep one per user forever. Thread-safe.
 */
final class UserFileSystems implements AutoCloseable {

  /**
   * Hadoop's calls of a user share a connection, with two threads, only while the same object
   * represents the user. Such an object is small.
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

  /** An operation on a file system. */
  @FunctionalInterface
  interface Use<T> {
    T with(FileSystem fs) throws IOException;
  }

  /**
   * A file system and the number of its users. The pool itself counts as one until it removes the
   * file system.
   */
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

  /** Runs an operation as a user. */
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
        throw new IOException(
            "Cannot look up files for " + user + ": the ResourceManager is not active");
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

  /** Closes all file systems, those in use when their operations end. No more are created. */
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
   * The user for calls to servers. With Kerberos the NameNode must allow the ResourceManager to
   * impersonate others. Without Kerberos it believes any name, so no proxy user needs to be
   * configured.
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
