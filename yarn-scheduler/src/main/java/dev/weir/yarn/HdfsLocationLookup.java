package dev.weir.yarn;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks the default file system of the ResourceManager's configuration. A directory stands for the
 * files in it, not for those in its subdirectories. Of several paths those that cannot be read do
 * not spoil the others.
 */
final class HdfsLocationLookup implements LocationLookup {

  /** A sample of this many files tells well enough where the bytes of a directory are. */
  static final int MAX_FILES = 1_000;

  private static final int MAX_USERS = 200;

  private final Configuration conf;

  /**
   * Hadoop keeps one connection for each of these objects, not for each user: a new one for every
   * look-up would leave thousands of connections behind.
   */
  private final Map<String, UserGroupInformation> users =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, UserGroupInformation> eldest) {
          return size() > MAX_USERS;
        }
      };

  HdfsLocationLookup(Configuration conf) {
    this.conf = impatient(conf);
  }

  /**
   * A client that gives up soon: an answer after the ask has gone to the scheduler is worth little,
   * and the threads are few. Reading needs no hints, so it is Hadoop's own file system class, which
   * also keeps anything of a client out of the ResourceManager.
   */
  private static Configuration impatient(Configuration conf) {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    client.setInt("ipc.client.connect.max.retries", 1);
    client.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    client.setInt("ipc.client.connect.timeout", 3_000);
    client.setInt("ipc.client.rpc-timeout.ms", 10_000);
    client.setInt("dfs.client.failover.max.attempts", 4);
    client.setInt("dfs.client.retry.max.attempts", 1);
    client.setBoolean("dfs.client.retry.policy.enabled", false);
    return client;
  }

  @Override
  public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
    return as(user)
        .doAs(
            (PrivilegedExceptionAction<Map<String, Long>>)
                () -> {
                  // Not from FileSystem's cache, which would keep one for each user for ever.
                  try (FileSystem fs = FileSystem.newInstance(conf)) {
                    return add(fs, paths);
                  }
                });
  }

  /**
   * With Kerberos the NameNode must allow the ResourceManager to act for others. Without, it
   * believes any name, and to ask for such leave would only make one more thing to configure.
   */
  private UserGroupInformation as(String user) throws IOException {
    UserGroupInformation login = UserGroupInformation.getLoginUser();
    if (login.getShortUserName().equals(user)) {
      return login;
    }
    synchronized (users) {
      return users.computeIfAbsent(
          user,
          name ->
              UserGroupInformation.isSecurityEnabled()
                  ? UserGroupInformation.createProxyUser(name, login)
                  : UserGroupInformation.createRemoteUser(name));
    }
  }

  private static Map<String, Long> add(FileSystem fs, List<String> paths) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    IOException first = null;
    int read = 0;
    for (String path : paths) {
      try {
        addPath(fs, new Path(path), bytes);
        read++;
      } catch (FileNotFoundException | AccessControlException e) {
        first = first == null ? e : first;
      }
    }
    if (read == 0 && first != null) {
      throw first;
    }
    return bytes;
  }

  private static void addPath(FileSystem fs, Path path, Map<String, Long> bytes)
      throws IOException {
    FileStatus status = fs.getFileStatus(path);
    if (!status.isDirectory()) {
      addBlocks(fs.getFileBlockLocations(status, 0, status.getLen()), bytes);
      return;
    }
    RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(path);
    for (int i = 0; i < MAX_FILES && files.hasNext(); i++) {
      LocatedFileStatus file = files.next();
      if (file.isFile()) {
        addBlocks(file.getBlockLocations(), bytes);
      }
    }
  }

  private static void addBlocks(BlockLocation[] blocks, Map<String, Long> bytes)
      throws IOException {
    for (BlockLocation block : blocks) {
      if (!block.isCorrupt()) {
        for (String host : new HashSet<>(List.of(block.getHosts()))) {
          bytes.merge(host, block.getLength(), Long::sum);
        }
      }
    }
  }
}
