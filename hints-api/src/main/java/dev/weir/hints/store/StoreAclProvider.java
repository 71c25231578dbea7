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
 * Restricts write access to the service's znodes below the root; others may read them. Only the
 * versions that watchers have applied are writable by all.
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
   * Configures a client's authentication. If the credentials cannot be read, the client is
   * anonymous: it may read, and write only what is open.
   */
  void authenticate(CuratorFrameworkFactory.Builder client) {
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
          "Cannot read {}; hints can be read, but not written if they are restricted",
          StoreAccess.AUTH_KEY,
          e);
    }
  }

  /** Restricts znodes that were written while the store was open. */
  void restrict(CuratorFramework client) throws Exception {
    if (!access.closes()) {
      return;
    }
    create(client, root);
    if (client.getACL().forPath(root).containsAll(Ids.OPEN_ACL_UNSAFE)) {
      LOG.info("Restricting write access below {} to this service", root);
      for (String child : client.getChildren().forPath(root)) {
        restrictTree(client, root + "/" + child);
      }
      // Any user may have written this record, which lists files to remove.
      client.delete().quietly().deletingChildrenIfNeeded().forPath(root + "/reconciler");
      // Last, so that a process that is killed before this restricts everything at its next start.
      client.setACL().withACL(restrictedAcl()).forPath(root);
    }
    create(client, root + "/sets");
    // Watchers cannot create it, because the root is restricted.
    create(client, AppliedVersions.path(root));
  }

  private void restrictTree(CuratorFramework client, String path) throws Exception {
    if (isOpen(path)) {
      return;
    }
    for (String child : client.getChildren().forPath(path)) {
      restrictTree(client, path + "/" + child);
    }
    client.setACL().withACL(restrictedAcl()).forPath(path);
  }

  private static void create(CuratorFramework client, String path) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, EMPTY);
    } catch (NodeExistsException e) {
      LOG.debug("{} exists", path, e);
    }
  }

  @Override
  public List<ACL> getDefaultAcl() {
    return Ids.OPEN_ACL_UNSAFE;
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return isOpen(path) ? Ids.OPEN_ACL_UNSAFE : restrictedAcl();
  }

  private boolean isOpen(String path) {
    return !isAtOrBelow(path, root) || isAtOrBelow(path, AppliedVersions.path(root));
  }

  private static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || path.startsWith(other + "/");
  }

  private static List<ACL> restrictedAcl() {
    List<ACL> acl = new ArrayList<>(Ids.CREATOR_ALL_ACL);
    acl.addAll(Ids.READ_ACL_UNSAFE);
    return acl;
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of(file)).strip();
  }
}
