package dev.weir.hints.store;

import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the service writes below the root to the service, for others to read only. Open to all
 * is only where watchers say what they have applied.
 */
final class StoreAclProvider implements ACLProvider {
  private static final Logger LOG = LoggerFactory.getLogger(StoreAclProvider.class);
  private static final byte[] EMPTY = {};

  private final StoreAccess access;
  private final String root;

  StoreAclProvider(StoreAccess access, String root) {
    this.access = access;
    this.root = root;
  }

  /**
   * Has a client say who it is; where that cannot be read it is nobody, who may read, and write
   * only what is open.
   */
  void introduce(CuratorFrameworkFactory.Builder client) {
    if (access.closes()) {
      client.aclProvider(this);
    }
    String auth = access.auth();
    if (auth.isEmpty() || auth.equals(StoreAccess.SASL)) {
      return;
    }
    try {
      String name = auth.startsWith("@") ? read(auth.substring(1)) : auth;
      client.authorization("digest", name.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be read; hints can be read but, where they are closed, not written",
          StoreAccess.AUTH_KEY,
          e);
    }
  }

  /** Closes what was written while all might write. */
  void close(CuratorFramework client) throws Exception {
    if (!access.closes()) {
      return;
    }
    create(client, root);
    if (client.getACL().forPath(root).containsAll(Ids.OPEN_ACL_UNSAFE)) {
      LOG.info("Closing what is below {} to all but this service", root);
      for (String child : client.getChildren().forPath(root)) {
        closeTree(client, root + "/" + child);
      }
      // Anybody may have written there which files the service is to remove.
      client.delete().quietly().deletingChildrenIfNeeded().forPath(root + "/reconciler");
      // Last: who is killed before that begins again.
      client.setACL().withACL(closed()).forPath(root);
    }
    create(client, root + "/sets");
    // Who watches may not make it: the root is closed.
    create(client, AppliedVersions.below(root));
  }

  private void closeTree(CuratorFramework client, String path) throws Exception {
    if (isOpen(path)) {
      return;
    }
    for (String child : client.getChildren().forPath(path)) {
      closeTree(client, path + "/" + child);
    }
    client.setACL().withACL(closed()).forPath(path);
  }

  private static void create(CuratorFramework client, String path) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, EMPTY);
    } catch (NodeExistsException e) {
      LOG.debug("{} is there", path, e);
    }
  }

  @Override
  public List<ACL> getDefaultAcl() {
    return Ids.OPEN_ACL_UNSAFE;
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return isOpen(path) ? Ids.OPEN_ACL_UNSAFE : closed();
  }

  private boolean isOpen(String path) {
    return !isAtOrBelow(path, root) || isAtOrBelow(path, AppliedVersions.below(root));
  }

  private static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || path.startsWith(other + "/");
  }

  private static List<ACL> closed() {
    List<ACL> acl = new ArrayList<>(Ids.CREATOR_ALL_ACL);
    acl.addAll(Ids.READ_ACL_UNSAFE);
    return acl;
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of(file)).strip();
  }
}
