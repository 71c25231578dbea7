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

/** Keeps the sets to who wrote them, for others to read only; everything else stays open. */
final class ClosedSets implements ACLProvider {
  private static final Logger LOG = LoggerFactory.getLogger(ClosedSets.class);
  private static final byte[] EMPTY = {};

  private final StoreAccess access;
  private final String sets;

  ClosedSets(StoreAccess access, String sets) {
    this.access = access;
    this.sets = sets;
  }

  /** Has a client say who it is; where that cannot be read it is nobody, who may still read. */
  void introduce(CuratorFrameworkFactory.Builder client) {
    String auth = access.auth();
    if (!auth.isEmpty() && !auth.equals(StoreAccess.SASL)) {
      try {
        String name = auth.startsWith("@") ? read(auth.substring(1)) : auth;
        client.authorization("digest", name.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        LOG.warn(
            "{} cannot be read; hints can be read but, where they are closed, not written",
            StoreAccess.AUTH_KEY,
            e);
        return;
      }
    }
    if (access.closes()) {
      client.aclProvider(this);
    }
  }

  /** Closes sets that were written while all might write. */
  void close(CuratorFramework client) throws Exception {
    if (!access.closes()) {
      return;
    }
    try {
      client.create().creatingParentsIfNeeded().forPath(sets, EMPTY);
    } catch (NodeExistsException e) {
      LOG.debug("{} is there", sets, e);
    }
    if (client.getACL().forPath(sets).containsAll(Ids.OPEN_ACL_UNSAFE)) {
      LOG.info("Closing the hint sets below {} to all but this service", sets);
      for (String id : client.getChildren().forPath(sets)) {
        client.setACL().withACL(closed()).forPath(sets + "/" + id);
      }
      client.setACL().withACL(closed()).forPath(sets);
    }
  }

  @Override
  public List<ACL> getDefaultAcl() {
    return Ids.OPEN_ACL_UNSAFE;
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return path.equals(sets) || path.startsWith(sets + "/") ? closed() : Ids.OPEN_ACL_UNSAFE;
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
