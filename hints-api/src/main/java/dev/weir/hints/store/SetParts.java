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
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.hadoop.util.PureJavaCrc32C;
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
 * Stores what does not fit into one znode as several parts. The parts are written first, below a
 * znode with a unique name, and never changed. One transaction then writes a {@link Head} that
 * names them to the set's znode, and marks them as used. So a reader finds either all parts of a
 * head, or, if the set was replaced meanwhile, a missing part and a new head: its server applies
 * all changes in one order. Parts without a head, left by a killed writer, are removed by a later
 * writer.
 */
final class SetParts {
  private static final Logger LOG = LoggerFactory.getLogger(SetParts.class);

  /** Longer than any writer takes from its first part to its head. */
  static final Duration ORPHAN_AGE = Duration.ofMinutes(10);

  private final String parent;
  private final long orphanMillis;

  /**
   * @param parent the parent znode
   * @param orphanAge after this time, parts that no set names are removed
   */
  SetParts(String parent, Duration orphanAge) {
    this.parent = parent;
    this.orphanMillis = orphanAge.toMillis();
  }

  /**
   * What a set's znode contains instead of the set.
   *
   * @param name of the parent znode of the parts
   * @param length of all parts together, in bytes
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

    /** Parses the content of a set's znode; empty if it is not a head. */
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
      PureJavaCrc32C crc = new PureJavaCrc32C();
      crc.update(bytes, 0, bytes.length);
      return crc.getValue();
    }

    private boolean matches(byte[] bytes) {
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

  /**
   * An operation of the transaction that writes the head. It marks the parts as used, so that they
   * do not count as orphans.
   */
  CuratorOp markUsed(CuratorFramework client, Head head, String id) throws Exception {
    return client
        .transactionOp()
        .setData()
        .forPath(path(head), id.getBytes(StandardCharsets.UTF_8));
  }

  /** The joined parts; empty if one is missing or the checksum differs. */
  Optional<byte[]> read(CuratorFramework client, Head head) throws Exception {
    if (head.length() > SetSerializer.MAX_UNPACKED) {
      return Optional.empty();
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream(head.length());
    try {
      for (int part = 0; part < head.count() && joined.size() <= head.length(); part++) {
        joined.writeBytes(client.getData().forPath(path(head) + "/" + part));
      }
    } catch (NoNodeException e) {
      LOG.debug("The parts {} were replaced while they were read", head.name(), e);
      return Optional.empty();
    }
    return Optional.of(joined.toByteArray()).filter(head::matches);
  }

  /** Removes parts that no set names any more. If that fails, a later writer removes them. */
  void drop(CuratorFramework client, @Nullable Head head) throws InterruptedException {
    try {
      if (head != null) {
        drop(client, head.name(), -1);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.info(
          "Cannot remove the parts {} below {} now; a later write removes them",
          head.name(),
          parent,
          e);
    }
  }

  /**
   * Removes parts left by killed writers and by removed sets.
   *
   * @param sets the parent znode of the sets
   * @param now ZooKeeper's time in milliseconds, as in its stamps
   */
  void sweep(CuratorFramework client, String sets, long now) throws InterruptedException {
    try {
      for (String name : client.getChildren().forPath(parent)) {
        Stat stat = new Stat();
        byte[] id = client.getData().storingStatIn(stat).forPath(parent + "/" + name);
        if (now - stat.getMtime() >= orphanMillis
            && !isNamedBy(client, sets + "/" + new String(id, StandardCharsets.UTF_8), name)) {
          LOG.info("Removing {}/{}, left by a writer that did not finish", parent, name);
          drop(client, name, stat.getVersion());
        }
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (NoNodeException | BadVersionException | NotEmptyException e) {
      LOG.debug("Another writer is removing parts below {}", parent, e);
    } catch (Exception e) {
      LOG.info("Cannot remove unused parts below {}; a later write removes them", parent, e);
    }
  }

  private static boolean isNamedBy(CuratorFramework client, String set, String name)
      throws Exception {
    try {
      return Head.parse(client.getData().forPath(set))
          .filter(h -> h.name().equals(name))
          .isPresent();
    } catch (NoNodeException e) {
      return false;
    }
  }

  /**
   * One transaction: if a head was written meanwhile, the version has changed and nothing is
   * removed.
   */
  private void drop(CuratorFramework client, String name, int version) throws Exception {
    String path = parent + "/" + name;
    try {
      List<CuratorOp> operations = new ArrayList<>();
      for (String part : client.getChildren().forPath(path)) {
        operations.add(client.transactionOp().delete().forPath(path + "/" + part));
      }
      operations.add(client.transactionOp().delete().withVersion(version).forPath(path));
      client.transaction().forOperations(operations);
    } catch (NoNodeException | NodeExistsException e) {
      LOG.debug("{} does not exist any more", path, e);
    }
  }

  /** Reports that parts are missing although the head is current. */
  static KeeperException missingParts(String path) {
    return KeeperException.create(KeeperException.Code.DATAINCONSISTENCY, path);
  }

  private String path(Head head) {
    return parent + "/" + head.name();
  }
}
