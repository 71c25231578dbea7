package dev.weir.hints.store;

import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts write access to the service's znodes below the root; others may read them. Only the
 * versions that watchers have applied are writable by all. Readers follow only znodes that
 * permitted writers alone may change.
 */
final class StoreAclProvider implements ACLProvider {
  private static final Logger LOG = LoggerFactory.getLogger(StoreAclProvider.class);
  private static final byte[] EMPTY = {};
  private static final String DIGEST = "digest";

  private final StoreAccess access;
  private final String root;
  private final String ownId;

  StoreAclProvider(StoreAccess access, String root) {
    this.access = access;
    this.root = root;
    this.ownId = ownId();
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
      client.authorization(DIGEST, credentials().getBytes(StandardCharsets.UTF_8));
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
    LOG.info(
        "NameNodes follow the hints of this service if their {} has {}",
        StoreAccess.WRITERS_KEY,
        writers(client.getACL().forPath(root)).toList());
    // Watchers cannot create it, because the root is restricted. They publish their versions when
    // the parent of the sets is created.
    create(client, AppliedVersions.path(root));
    create(client, root + "/sets");
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

  private String credentials() throws IOException {
    String auth = access.auth();
    return auth.startsWith("@") ? Files.readString(Path.of(auth.substring(1))).strip() : auth;
  }

  /**
   * Returns who may change a znode although this process does not follow its sets; null if there is
   * none.
   */
  @Nullable String strangerIn(List<ACL> acl) {
    if (access.isOpen()) {
      return null;
    }
    return writers(acl)
        .filter(id -> !access.writers().contains(id) && !id.equals(ownId))
        .findFirst()
        .orElse(null);
  }

  /**
   * Requires that only permitted writers may change the parents of the sets.
   *
   * @throws UntrustedStoreException if others may
   */
  void requireTrusted(CuratorFramework client) throws Exception {
    if (access.isOpen()) {
      return;
    }
    for (String parent : List.of(root, root + "/sets", root + "/parts")) {
      try {
        String stranger = strangerIn(client.getACL().forPath(parent));
        if (stranger != null) {
          throw new UntrustedStoreException(parent, stranger);
        }
      } catch (NoNodeException e) {
        LOG.debug("{} does not exist", parent, e);
      }
    }
  }

  private static Stream<String> writers(List<ACL> acl) {
    return acl.stream()
        .filter(entry -> (entry.getPerms() & ~Perms.READ) != 0)
        .map(entry -> writer(entry.getId()));
  }

  /** ZooKeeper shows readers only the user of a digest. */
  private static String writer(Id id) {
    return id.getScheme()
        + ":"
        + (id.getScheme().equals(DIGEST) ? id.getId().replaceFirst(":.*", "") : id.getId());
  }

  /** The id of this process if it has a password; empty if not. */
  private String ownId() {
    if (access.auth().isEmpty() || access.auth().equals(StoreAccess.SASL)) {
      return "";
    }
    try {
      return writer(new Id(DIGEST, credentials()));
    } catch (IOException e) {
      LOG.debug("No credentials", e);
      return "";
    }
  }
}
