package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The znodes of the sets, one a set. The version of a set is the transaction of its last change;
 * each change touches the parent in the same transaction, so that its stamp tells of all of them.
 */
final class SetNodes {
  private static final Logger LOG = LoggerFactory.getLogger(SetNodes.class);
  private static final int MAX_RACES = 5;
  private static final byte[] EMPTY = {};

  private final String parent;

  /**
   * @param parent the znode that they are below
   */
  SetNodes(String parent) {
    this.parent = parent;
  }

  long put(CuratorFramework client, String id, byte[] bytes) throws Exception {
    String path = path(id);
    for (int race = 1; ; race++) {
      try {
        if (client.checkExists().forPath(path) == null) {
          return change(client, client.transactionOp().create().forPath(path, bytes));
        }
        return change(client, client.transactionOp().setData().forPath(path, bytes));
      } catch (NodeExistsException | NoNodeException e) {
        if (race == MAX_RACES) {
          throw e;
        }
        createParent(client);
      }
    }
  }

  long put(CuratorFramework client, String id, byte[] bytes, long expected) throws Exception {
    String path = path(id);
    Stat stat = client.checkExists().forPath(path);
    require(id, expected, stat);
    try {
      if (stat != null) {
        return change(
            client,
            client.transactionOp().setData().withVersion(stat.getVersion()).forPath(path, bytes));
      }
      createParent(client);
      return change(client, client.transactionOp().create().forPath(path, bytes));
    } catch (NodeExistsException | NoNodeException | BadVersionException e) {
      throw conflict(client, id, expected, e);
    }
  }

  boolean remove(CuratorFramework client, String id) throws Exception {
    try {
      change(client, client.transactionOp().delete().forPath(path(id)));
      return true;
    } catch (NoNodeException e) {
      return false;
    }
  }

  boolean remove(CuratorFramework client, String id, long expected) throws Exception {
    String path = path(id);
    Stat stat = client.checkExists().forPath(path);
    if (stat == null) {
      return false;
    }
    require(id, expected, stat);
    try {
      change(client, client.transactionOp().delete().withVersion(stat.getVersion()).forPath(path));
      return true;
    } catch (NoNodeException | BadVersionException e) {
      throw conflict(client, id, expected, e);
    }
  }

  Optional<StoredSet> find(CuratorFramework client, String id) throws Exception {
    String path = path(id);
    try {
      Stat stat = new Stat();
      byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
      HintSet set = SetBytes.decode(bytes, "znode " + path);
      return Optional.of(
          new StoredSet(set, stat.getMzxid(), Instant.ofEpochMilli(stat.getMtime())));
    } catch (NoNodeException e) {
      return Optional.empty();
    }
  }

  Set<String> ids(CuratorFramework client) throws Exception {
    try {
      return Set.copyOf(client.getChildren().forPath(parent));
    } catch (NoNodeException e) {
      return Set.of();
    }
  }

  private long change(CuratorFramework client, CuratorOp change) throws Exception {
    CuratorOp stamp = client.transactionOp().setData().forPath(parent, EMPTY);
    return client.transaction().forOperations(change, stamp).get(1).getResultStat().getMzxid();
  }

  private void createParent(CuratorFramework client) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(parent, EMPTY);
    } catch (NodeExistsException e) {
      LOG.debug("{} is there", parent, e);
    }
  }

  private static void require(String id, long expected, @Nullable Stat stat)
      throws VersionConflictException {
    long actual = version(stat);
    if (actual != expected) {
      throw new VersionConflictException(id, expected, actual);
    }
  }

  private VersionConflictException conflict(
      CuratorFramework client, String id, long expected, Exception cause) throws Exception {
    long actual = version(client.checkExists().forPath(path(id)));
    VersionConflictException conflict = new VersionConflictException(id, expected, actual);
    conflict.initCause(cause);
    return conflict;
  }

  private static long version(@Nullable Stat stat) {
    return stat == null ? VersionConflictException.ABSENT : stat.getMzxid();
  }

  private String path(String id) {
    return parent + "/" + HintSet.requireId(id);
  }
}
