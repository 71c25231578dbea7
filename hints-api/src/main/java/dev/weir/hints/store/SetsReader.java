package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.LogLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads all sets; those that did not change are not parsed again. For one thread. */
final class SetsReader {
  private static final Logger LOG = LoggerFactory.getLogger(SetsReader.class);

  private final String path;
  private final LogLimit logLimit = LogLimit.oncePerMinute();
  private Map<String, Parsed> known = Map.of();

  SetsReader(String path) {
    this.path = path;
  }

  /**
   * What was read.
   *
   * @param sets the sets that could be parsed
   * @param version all changes up to it are contained
   */
  record Sets(List<StoredSet> sets, long version) {}

  private record Parsed(long changed, @Nullable HintSet set) {}

  /**
   * The parent's stamp is read before the sets: every change touches it in the same transaction, so
   * whatever it tells of is in what is read afterwards.
   */
  Sets read(CuratorFramework client) throws Exception {
    Stat stat = client.checkExists().forPath(path);
    if (stat == null) {
      known = Map.of();
      return new Sets(List.of(), 0);
    }
    Map<String, Parsed> found = new HashMap<>();
    for (String id : client.getChildren().forPath(path)) {
      try {
        found.put(id, read(client, id));
      } catch (NoNodeException e) {
        LOG.debug("Hint set {} was removed while it was read", id, e);
      }
    }
    known = found;
    List<StoredSet> sets = new ArrayList<>();
    for (Parsed parsed : found.values()) {
      if (parsed.set() != null) {
        sets.add(new StoredSet(parsed.set(), parsed.changed()));
      }
    }
    return new Sets(sets, Math.max(stat.getMzxid(), stat.getPzxid()));
  }

  private Parsed read(CuratorFramework client, String id) throws Exception {
    Stat stat = new Stat();
    byte[] bytes = client.getData().storingStatIn(stat).forPath(path + "/" + id);
    Parsed before = known.get(id);
    if (before != null && before.changed() == stat.getMzxid()) {
      return before;
    }
    return new Parsed(stat.getMzxid(), parse(id, bytes));
  }

  private @Nullable HintSet parse(String id, byte[] bytes) {
    try {
      return SetBytes.decode(bytes, "znode " + path + "/" + id);
    } catch (InvalidHintException e) {
      if (logLimit.permits()) {
        LOG.warn("A hint set is left out: {}", e.getMessage());
      }
      return null;
    }
  }
}
