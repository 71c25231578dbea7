package dev.weir.hints.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Watcher;

/** Which versions the watchers have applied: an ephemeral znode each, below its role. */
final class AppliedVersions {
  /** A watch tells of changes; looking again now and then covers one that went missing. */
  private static final long LOOK_AGAIN_MILLIS = 500;

  private final String root;

  AppliedVersions(String root) {
    this.root = root + "/applied";
  }

  /** The node is named after the session, so that one of a session that ended is never taken up. */
  void publish(CuratorFramework client, String role, long version) throws Exception {
    long session = client.getZookeeperClient().getZooKeeper().getSessionId();
    String path = root + "/" + role + "/" + Long.toHexString(session);
    byte[] data = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
    try {
      client.setData().forPath(path, data);
    } catch (NoNodeException e) {
      try {
        client
            .create()
            .creatingParentsIfNeeded()
            .withMode(CreateMode.EPHEMERAL)
            .forPath(path, data);
      } catch (NodeExistsException retried) {
        client.setData().forPath(path, data);
      }
    }
  }

  boolean await(CuratorFramework client, long version, String role, long deadlineNanos)
      throws Exception {
    Semaphore changed = new Semaphore(0);
    Watcher watcher = event -> changed.release();
    while (true) {
      if (isApplied(client, version, root + "/" + role, watcher)) {
        return true;
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      if (changed.tryAcquire(Math.min(left, LOOK_AGAIN_MILLIS), TimeUnit.MILLISECONDS)) {
        changed.drainPermits();
      }
    }
  }

  private static boolean isApplied(
      CuratorFramework client, long version, String path, Watcher watcher) throws Exception {
    if (client.checkExists().usingWatcher(watcher).forPath(path) == null) {
      return false;
    }
    List<String> sessions;
    try {
      sessions = client.getChildren().usingWatcher(watcher).forPath(path);
    } catch (NoNodeException e) {
      return false;
    }
    for (String session : sessions) {
      if (read(client, path + "/" + session, watcher) >= version) {
        return true;
      }
    }
    return false;
  }

  private static long read(CuratorFramework client, String path, Watcher watcher) throws Exception {
    try {
      byte[] data = client.getData().usingWatcher(watcher).forPath(path);
      return Long.parseLong(new String(data, StandardCharsets.US_ASCII));
    } catch (NoNodeException | NumberFormatException e) {
      return Long.MIN_VALUE;
    }
  }
}
