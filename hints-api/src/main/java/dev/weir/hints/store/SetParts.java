package dev.weir.hints.store;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.KeeperException.NotEmptyException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What does not fit into one znode, as parts of their own. They are written first, below a znode of
 * a name that is never used again, and never changed; the set's znode then gets a {@link Head} that
 * names them, in one transaction that also marks them as used. So a reader finds either all parts
 * of what it read a head of, or, when that was replaced meanwhile, a part missing and a new head:
 * the server that it reads from applies all changes in one order. Parts that no head names, of a
 * writer that was killed, are removed by a later writer.
 */
final class SetParts {
  private static final Logger LOG = LoggerFactory.getLogger(SetParts.class);

  /** Longer than any writer takes from its first part to its head. */
  static final Duration ORPHAN_AGE = Duration.ofMinutes(10);

  private final String parent;
  private final long orphanMillis;

  /**
   * @param parent the znode that they are below
   * @param orphanAge after which parts that no set names are removed
   */
  SetParts(String parent, Duration orphanAge) {
    this.parent = parent;
    this.orphanMillis = orphanAge.toMillis();
  }

  /**
   * What a set's znode has instead of the set.
   *
   * @param name of the znode that the parts are below
   * @param count how many there are
   * @param length of all together, in bytes
   * @param checksum their CRC-32C
   */
  record Head(String name, int count, int length, long checksum) {
    private static final Pattern FORM =
        Pattern.compile(
            "\\{\"parts\":\"([0-9a-f-]{36})\",\"count\":(\\d{1,3}),\"length\":(\\d{1,8}),"
                + "\"crc32c\":(\\d{1,10})}");
    private static final int MAX_BYTES = 200;

    static Head of(byte[] bytes) {
      int count = (bytes.length + SetSerializer.MAX_STORED - 1) / SetSerializer.MAX_STORED;
      return new Head(UUID.randomUUID().toString(), count, bytes.length, crc(bytes));
    }

    /** The head that the bytes of a set's znode are, if they are one. */
    static Optional<Head> parse(byte[] bytes) {
      if (bytes.length > MAX_BYTES) {
        return Optional.empty();
      }
      Matcher fields = FORM.matcher(new String(bytes, StandardCharsets.US_ASCII));
      return fields.matches()
          ? Optional.of(
              new Head(
                  fields.group(1),
                  Integer.parseInt(fields.group(2)),
                  Integer.parseInt(fields.group(3)),
                  Long.parseLong(fields.group(4))))
          : Optional.empty();
    }

    byte[] bytes() {
      String json =
          "{\"parts\":\"%s\",\"count\":%d,\"length\":%d,\"crc32c\":%d}"
              .formatted(name, count, length, checksum);
      return json.getBytes(StandardCharsets.US_ASCII);
    }

    private static long crc(byte[] bytes) {
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return crc.getValue();
    }

    private boolean isOf(byte[] bytes) {
      return bytes.length == length && crc(bytes) == checksum;
    }
  }

  /** Writes parts that no set names yet. */
  Head write(CuratorFramework client, String id, byte[] bytes) throws Exception {
    Head head = Head.of(bytes);
    String path = path(head);
    client
        .create()
        .orSetData()
        .creatingParentsIfNeeded()
        .forPath(path, id.getBytes(StandardCharsets.UTF_8));
    for (int part = 0; part < head.count(); part++) {
      int from = part * SetSerializer.MAX_STORED;
      int to = Math.min(bytes.length, from + SetSerializer.MAX_STORED);
      client.create().orSetData().forPath(path + "/" + part, Arrays.copyOfRange(bytes, from, to));
    }
    return head;
  }

  /** Goes into the transaction that writes the head: from then on nobody takes them for orphans. */
  CuratorOp use(CuratorFramework client, Head head, String id) throws Exception {
    return client
        .transactionOp()
        .setData()
        .forPath(path(head), id.getBytes(StandardCharsets.UTF_8));
  }

  /** What the parts hold together; nothing when one is missing or they are not what was written. */
  Optional<byte[]> read(CuratorFramework client, Head head) throws Exception {
    if (head.length() > SetSerializer.MAX_UNPACKED) {
      return Optional.empty();
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(head.length());
    try {
      for (int part = 0; part < head.count() && all.size() <= head.length(); part++) {
        all.writeBytes(client.getData().forPath(path(head) + "/" + part));
      }
    } catch (NoNodeException e) {
      LOG.debug("The parts {} were replaced while they were read", head.name(), e);
      return Optional.empty();
    }
    return Optional.of(all.toByteArray()).filter(head::isOf);
  }

  /** Removes what no set names any more. What cannot be removed now is by a later writer. */
  void drop(CuratorFramework client, @Nullable Head head) throws InterruptedException {
    try {
      if (head != null) {
        drop(client, head.name(), -1);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.info("The parts {} below {} are left to be removed later", head.name(), parent, e);
    }
  }

  /**
   * Removes what writers have left that were killed, and sets that were removed meanwhile.
   *
   * @param sets the znode that the sets are below
   * @param now ZooKeeper's time in ms, as it stamps changes
   */
  void sweep(CuratorFramework client, String sets, long now) throws InterruptedException {
    try {
      for (String name : client.getChildren().forPath(parent)) {
        Stat stat = new Stat();
        byte[] id = client.getData().storingStatIn(stat).forPath(parent + "/" + name);
        if (now - stat.getMtime() >= orphanMillis
            && !names(client, sets + "/" + new String(id, StandardCharsets.UTF_8), name)) {
          LOG.info("Removing {}/{}, which a writer left that did not finish", parent, name);
          drop(client, name, stat.getVersion());
        }
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (NoNodeException | BadVersionException | NotEmptyException e) {
      LOG.debug("Others are at the parts below {} too", parent, e);
    } catch (Exception e) {
      LOG.info("Parts that no set names are left below {}; a later write removes them", parent, e);
    }
  }

  private static boolean names(CuratorFramework client, String set, String name) throws Exception {
    try {
      return Head.parse(client.getData().forPath(set))
          .filter(h -> h.name().equals(name))
          .isPresent();
    } catch (NoNodeException e) {
      return false;
    }
  }

  /** All at once: a head written meanwhile has changed the version, and nothing is removed. */
  private void drop(CuratorFramework client, String name, int version) throws Exception {
    String path = parent + "/" + name;
    try {
      List<CuratorOp> all = new ArrayList<>();
      for (String part : client.getChildren().forPath(path)) {
        all.add(client.transactionOp().delete().forPath(path + "/" + part));
      }
      all.add(client.transactionOp().delete().withVersion(version).forPath(path));
      client.transaction().forOperations(all);
    } catch (NoNodeException | NodeExistsException e) {
      LOG.debug("{} is gone", path, e);
    }
  }

  /** Says that what a head names is not there though the head is the latest. */
  static KeeperException broken(String path) {
    return KeeperException.create(KeeperException.Code.DATAINCONSISTENCY, path);
  }

  private String path(Head head) {
    return parent + "/" + head.name();
  }
}
