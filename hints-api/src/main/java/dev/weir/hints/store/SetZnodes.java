package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.store.SetParts.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
 * The znodes of the sets, one per set, with larger data in {@link SetParts}. The version of a set
 * is the transaction of its last change. Each change also touches the parent in the same
 * transaction, so the parent's stamp covers all changes.
 */
final class SetZnodes {
  private static final Logger LOG = LoggerFactory.getLogger(SetZnodes.class);
  private static final int MAX_ATTEMPTS = 5;
  private static final byte[] EMPTY = {};

  private final String parent;
  private final SetParts parts;

  /**
   * @param parts stores what does not fit into one znode
   */
  SetZnodes(String parent, SetParts parts) {
    this.parent = parent;
    this.parts = parts;
  }

  /**
   * The content of a set's znode.
   *
   * @param head of the parts of a long set; null for a short one
   * @param stat of the znode; null if it does not exist
   */
  private record Stored(@Nullable Head head, @Nullable Stat stat) {}

  /** Writes a set over any version. */
  long put(CuratorFramework client, String id, byte[] bytes) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return put(client, id, bytes, version(client.checkExists().forPath(path(id))));
      } catch (VersionConflictException e) {
        // Another writer was faster.
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  long put(CuratorFramework client, String id, byte[] bytes, long expected) throws Exception {
    String path = path(id);
    Stored stored = stored(client, path);
    Stat stat = stored.stat();
    require(id, expected, stat);
    Head head = writeParts(client, id, bytes);
    byte[] data = head == null ? bytes : head.bytes();
    try {
      CuratorOp op;
      if (stat == null) {
        createParent(client);
        op = client.transactionOp().create().forPath(path, data);
      } else {
        op = client.transactionOp().setData().withVersion(stat.getVersion()).forPath(path, data);
      }
      return removeObsoleteParts(client, stored, head, commit(client, id, op, head));
    } catch (NodeExistsException | NoNodeException | BadVersionException e) {
      Stored now = stored(client, path);
      if (head != null && head.equals(now.head()) && now.stat() != null) {
        // The answer to the first attempt was lost; the name of the parts is unique.
        parts.drop(client, stored.head());
        return now.stat().getMzxid();
      }
      parts.drop(client, head);
      throw conflict(client, id, expected, e);
    }
  }

  private @Nullable Head writeParts(CuratorFramework client, String id, byte[] bytes)
      throws Exception {
    return bytes.length <= SetSerializer.MAX_STORED ? null : parts.write(client, id, bytes);
  }

  /** Removes the parts that the new set has replaced, and for long sets also orphaned parts. */
  private long removeObsoleteParts(
      CuratorFramework client, Stored replaced, @Nullable Head head, Stat stamp)
      throws InterruptedException {
    Head old = replaced.head();
    if (old != null && !old.equals(head)) {
      parts.drop(client, old);
    }
    if (head != null) {
      parts.sweep(client, parent, stamp.getMtime());
    }
    return stamp.getMzxid();
  }

  boolean remove(CuratorFramework client, String id) throws Exception {
    try {
      Stored stored = stored(client, path(id));
      commit(client, id, client.transactionOp().delete().forPath(path(id)), null);
      parts.drop(client, stored.head());
      return true;
    } catch (NoNodeException e) {
      return false;
    }
  }

  boolean remove(CuratorFramework client, String id, long expected) throws Exception {
    String path = path(id);
    Stored stored = stored(client, path);
    Stat stat = stored.stat();
    if (stat == null) {
      return false;
    }
    require(id, expected, stat);
    try {
      CuratorOp op = client.transactionOp().delete().withVersion(stat.getVersion()).forPath(path);
      commit(client, id, op, null);
      parts.drop(client, stored.head());
      return true;
    } catch (NoNodeException | BadVersionException e) {
      throw conflict(client, id, expected, e);
    }
  }

  Optional<StoredSet> find(CuratorFramework client, String id) throws Exception {
    String path = path(id);
    long incomplete = 0;
    try {
      while (true) {
        Stat stat = new Stat();
        byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
        Optional<Head> head = Head.parse(bytes);
        Optional<byte[]> content =
            head.isEmpty() ? Optional.of(bytes) : parts.read(client, head.get());
        if (content.isPresent()) {
          HintSet set = SetSerializer.decode(content.get(), "znode " + path);
          return Optional.of(
              new StoredSet(set, stat.getMzxid(), Instant.ofEpochMilli(stat.getMtime())));
        }
        if (incomplete == stat.getMzxid()) {
          throw SetParts.missingParts(path);
        }
        incomplete = stat.getMzxid();
      }
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

  private Stat commit(CuratorFramework client, String id, CuratorOp operation, @Nullable Head head)
      throws Exception {
    List<CuratorOp> operations = new ArrayList<>();
    operations.add(operation);
    operations.add(client.transactionOp().setData().forPath(parent, EMPTY));
    if (head != null) {
      operations.add(parts.markUsed(client, head, id));
    }
    return client.transaction().forOperations(operations).get(1).getResultStat();
  }

  private static Stored stored(CuratorFramework client, String path) throws Exception {
    try {
      Stat stat = new Stat();
      byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
      return new Stored(Head.parse(bytes).orElse(null), stat);
    } catch (NoNodeException e) {
      return new Stored(null, null);
    }
  }

  private void createParent(CuratorFramework client) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(parent, EMPTY);
    } catch (NodeExistsException e) {
      LOG.debug("{} exists", parent, e);
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
