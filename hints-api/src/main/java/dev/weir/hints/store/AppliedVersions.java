package dev.weir.hints.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The versions that watchers have applied: an ephemeral znode each, below its role. */
final class AppliedVersions {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final Logger LOG = LoggerFactory.getLogger(AppliedVersions.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String root;

  AppliedVersions(String root) {
    this.root = path(root);
  }

  /** The parent znode of the versions. */
  static String path(String root) {
    return root + "/applied";
  }

  /**
   * Publishes a version. The znode is named after the session, so that one of an ended session is
   * never reused.
   *
   * @param isOpen whether watchers may create the parent, too; otherwise only the hints service may
   */
  void publish(
      CuratorFramework client, ZooKeeperHintStore.Watching watching, long version, boolean isOpen)
      throws Exception {
    if (!isOpen && client.checkExists().forPath(root) == null) {
      return;
    }
    long session = client.getZookeeperClient().getZooKeeper().getSessionId();
    String path = root + "/" + watching.role() + "/" + Long.toHexString(session);
    byte[] data = encode(watching, version);
    try {
      client.setData().forPath(path, data);
    } catch (NoNodeException e) {
      try {
        client
            .create()
            .creatingParentsIfNeeded()
            .withMode(CreateMode.EPHEMERAL)
            .forPath(path, data);
      } catch (NodeExistsException created) {
        client.setData().forPath(path, data);
      }
    }
  }

  List<WatcherInfo> watchers(CuratorFramework client) throws Exception {
    List<WatcherInfo> all = new ArrayList<>();
    for (String role : children(client, root)) {
      all.addAll(watchers(client, role));
    }
    all.sort(
        Comparator.comparing(WatcherInfo::role)
            .thenComparing(WatcherInfo::host)
            .thenComparing(WatcherInfo::session));
    return all;
  }

  boolean await(
      CuratorFramework client, String role, Predicate<WatcherInfo> wanted, long deadlineNanos)
      throws Exception {
    long pause = FIRST_PAUSE_NANOS;
    while (watchers(client, role).stream().noneMatch(wanted)) {
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, pause));
      pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
    }
    return true;
  }

  private List<WatcherInfo> watchers(CuratorFramework client, String role) throws Exception {
    String path = root + "/" + role;
    List<WatcherInfo> infos = new ArrayList<>();
    for (String session : children(client, path)) {
      try {
        WatcherInfo info = decode(client.getData().forPath(path + "/" + session), role, session);
        if (info != null) {
          infos.add(info);
        }
      } catch (NoNodeException e) {
        LOG.debug("The znode of watcher {} does not exist any more", session, e);
      }
    }
    return infos;
  }

  private static List<String> children(CuratorFramework client, String path) throws Exception {
    try {
      return client.getChildren().forPath(path);
    } catch (NoNodeException e) {
      return List.of();
    }
  }

  private static byte[] encode(ZooKeeperHintStore.Watching watching, long version) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("version", version)
        .put("host", watching.host())
        .put("process", watching.process())
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Unreadable data is ignored. */
  private static @Nullable WatcherInfo decode(byte[] data, String role, String session)
      throws IOException {
    try {
      JsonNode node = MAPPER.readTree(data);
      JsonNode version = node.path("version");
      if (!version.isIntegralNumber()) {
        return null;
      }
      return new WatcherInfo(
          role,
          node.path("host").asText(),
          node.path("process").asLong(),
          version.longValue(),
          session);
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
