package dev.weir.yarn.lookup;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one file system object for each user who named files recently. Creating one takes longer
 * than a lookup, and Hadoop's own cache would keep one per user forever. Thread-safe.
 */
final class UserFileSystems implements AutoCloseable {

  /**
   * Hadoop's client shares a connection, with two threads, among calls only while the same object
   * represents the user. Such objects are small.
   */
  private static final int MAX_IDENTITIES = 2_000;

  /**
   * Lookups are audited as opening, but read no file; the hint {@code auto} does not count them.
   */
  private static final CallerContext UNCOUNTED =
      new CallerContext.Builder("weir-service-lookup").build();

  private static final Logger LOG = LoggerFactory.getLogger(UserFileSystems.class);

  private final Configuration conf;
  private final LruMap<String, SharedFileSystem> fileSystems;
  private final LruMap<String, UserGroupInformation> identities = new LruMap<>(MAX_IDENTITIES);
  private boolean closed;

  UserFileSystems(Configuration conf, int max) {
    this.conf = conf;
    this.fileSystems = new LruMap<>(max);
  }

  /**
   * A file system and its reference count, which includes the pool until it removes the file
   * system.
   */
  private static final class SharedFileSystem {
    private final UserGroupInformation user;
    private final FileSystem fs;
    private int users = 1;

    SharedFileSystem(UserGroupInformation user, FileSystem fs) {
      this.user = user;
      this.fs = fs;
    }

    synchronized void acquire() {
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

  <T> T as(String user, FunctionRaisingIOE<FileSystem, T> use)
      throws IOException, InterruptedException {
    SharedFileSystem lease = acquire(user);
    try {
      return lease.user.doAs((PrivilegedExceptionAction<T>) () -> uncounted(lease.fs, use));
    } finally {
      lease.release();
    }
  }

  private static <T> T uncounted(FileSystem fs, FunctionRaisingIOE<FileSystem, T> use)
      throws IOException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(UNCOUNTED);
    try {
      return use.apply(fs);
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  private SharedFileSystem acquire(String user) throws IOException, InterruptedException {
    synchronized (fileSystems) {
      SharedFileSystem known = fileSystems.get(user);
      if (known != null) {
        known.acquire();
        return known;
      }
    }
    UserGroupInformation ugi = identity(user);
    SharedFileSystem created =
        new SharedFileSystem(
            ugi,
            ugi.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(conf)));
    created.acquire();
    put(user, created);
    return created;
  }

  private UserGroupInformation identity(String user) throws IOException {
    synchronized (fileSystems) {
      if (closed) {
        throw new IOException(
            "Cannot look up files for " + user + ": the ResourceManager is not active");
      }
      UserGroupInformation known = identities.get(user);
      if (known != null) {
        return known;
      }
    }
    UserGroupInformation created = login(user);
    synchronized (fileSystems) {
      return identities.computeIfAbsent(user, () -> created);
    }
  }

  private void put(String user, SharedFileSystem created) {
    SharedFileSystem evicted;
    synchronized (fileSystems) {
      evicted = closed ? created : fileSystems.put(user, created);
    }
    if (evicted != null) {
      evicted.release();
    }
  }

  /** Closes all file systems, those in use when their operations end. No more are created. */
  @Override
  public void close() {
    List<SharedFileSystem> all;
    synchronized (fileSystems) {
      closed = true;
      all = fileSystems.removeAll();
      identities.removeAll();
    }
    all.forEach(SharedFileSystem::release);
  }

  /**
   * The user for calls to servers. With Kerberos the NameNode must allow the ResourceManager to
   * impersonate others. Without Kerberos it accepts any name, so no proxy user needs to be
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
