package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.LogLimit;
import dev.weir.hints.index.HintIndex;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates an index. Reads the sets that events name; if events may have been lost, compares the
 * last change of all sets and reads those that differ. Many requests run concurrently. Each set is
 * decoded and indexed as it arrives, so that only those in flight are in memory besides the index.
 * Not thread-safe.
 */
final class SetsReader {
  private static final Logger LOG = LoggerFactory.getLogger(SetsReader.class);

  /** Each request may return a whole znode. */
  private static final int MAX_IN_FLIGHT = 64;

  private static final long TIMEOUT_SECONDS = 20;
  private static final byte[] EMPTY = {};

  private final String path;
  private final ChangedSets changed;
  private final SetParts parts;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  /** The last indexed change of each set, including sets that were left out. */
  private Map<String, Long> known = Map.of();

  SetsReader(String path, SetParts parts, ChangedSets changed) {
    this.path = path;
    this.parts = parts;
    this.changed = changed;
  }

  /** The parent's stamp and the changes known when it was read. */
  private record Start(CuratorEvent stamp, ChangedSets.Changes changes) {}

  /**
   * The index with all changes up to its version. After a failure the next call reads everything.
   *
   * @param before the last result, without sets that have expired since
   */
  HintIndex read(CuratorFramework client, HintIndex before, Instant now) throws Exception {
    try {
      return update(client, before, now);
    } catch (Exception e) {
      changed.markAll();
      throw e;
    }
  }

  /**
   * Every change touches the parent in the same transaction, so the parent's stamp covers all. It
   * is read before the sets, with a callback: ZooKeeper delivers answers and events in order, so
   * all events up to the stamp have been received when the callback runs.
   */
  private HintIndex update(CuratorFramework client, HintIndex before, Instant now)
      throws Exception {
    BlockingQueue<Start> answer = new LinkedBlockingQueue<>();
    BackgroundCallback callback =
        (unused, event) ->
            answer.add(
                new Start(
                    event,
                    isAnswer(event) ? changed.take() : new ChangedSets.Changes(true, Set.of())));
    client.checkExists().inBackground(callback).forPath(path);
    Start start = next(answer);
    Stat stat = start.stamp().getStat();
    if (requireAnswer(start.stamp()) == Code.NONODE || stat == null) {
      known = Map.of();
      HintIndex cleared = before;
      for (var set : before.sets()) {
        cleared = cleared.without(set.id());
      }
      return cleared.at(0);
    }
    long version = Math.max(stat.getMzxid(), stat.getPzxid());
    return (start.changes().all()
            ? readAll(client, before, now)
            : readSome(client, before, now, start.changes().ids()))
        .at(version);
  }

  private HintIndex readAll(CuratorFramework client, HintIndex before, Instant now)
      throws Exception {
    List<String> present = client.getChildren().forPath(path);
    Set<String> removed = new HashSet<>(known.keySet());
    removed.removeAll(present);
    HintIndex remaining = before;
    for (String id : removed) {
      remaining = remaining.without(id);
    }
    Map<String, Long> versions = new HashMap<>(known);
    versions.keySet().removeAll(removed);
    return readEach(client, remaining, now, present, versions);
  }

  private HintIndex readSome(
      CuratorFramework client, HintIndex before, Instant now, Set<String> ids) throws Exception {
    Map<String, Long> versions = new HashMap<>(known);
    return readEach(client, before, now, ids, versions);
  }

  /** First compares the sets with a known version, then reads the others. */
  private HintIndex readEach(
      CuratorFramework client,
      HintIndex before,
      Instant now,
      Collection<String> ids,
      Map<String, Long> versions)
      throws Exception {
    BlockingQueue<CuratorEvent> answers = new LinkedBlockingQueue<>();
    BackgroundCallback callback = (unused, event) -> answers.add(event);
    Deque<String> toCompare = new ArrayDeque<>();
    Deque<String> toRead = new ArrayDeque<>();
    ids.forEach(id -> (versions.containsKey(id) ? toCompare : toRead).add(path + "/" + id));
    Map<String, Long> incomplete = new HashMap<>();
    HintIndex index = before;
    int inFlight = 0;
    while (inFlight > 0 || !toCompare.isEmpty() || !toRead.isEmpty()) {
      while (inFlight < MAX_IN_FLIGHT && !(toCompare.isEmpty() && toRead.isEmpty())) {
        if (toRead.isEmpty()) {
          client.checkExists().inBackground(callback).forPath(toCompare.remove());
        } else {
          client.getData().inBackground(callback).forPath(toRead.remove());
        }
        inFlight++;
      }
      CuratorEvent event = next(answers);
      inFlight--;
      String id = event.getPath().substring(path.length() + 1);
      Stat stat = event.getStat();
      if (requireAnswer(event) == Code.NONODE || stat == null) {
        versions.remove(id);
        index = index.without(id);
      } else if (event.getType() == CuratorEventType.GET_DATA) {
        byte[] bytes = event.getData() == null ? EMPTY : event.getData();
        Optional<byte[]> content = content(client, bytes);
        if (content.isEmpty() && !Long.valueOf(stat.getMzxid()).equals(incomplete.get(id))) {
          // Its parts were replaced while they were read, so there is a new head.
          incomplete.put(id, stat.getMzxid());
          toRead.add(event.getPath());
          continue;
        }
        versions.put(id, stat.getMzxid());
        index = with(index, id, content.orElse(bytes), stat, now);
      } else if (!Long.valueOf(stat.getMzxid()).equals(versions.get(id))) {
        toRead.add(event.getPath());
      }
    }
    known = versions;
    return index;
  }

  /** Empty if the set is in parts that are missing. */
  private Optional<byte[]> content(CuratorFramework client, byte[] bytes) throws Exception {
    Optional<SetParts.Head> head = SetParts.Head.parse(bytes);
    return head.isEmpty() ? Optional.of(bytes) : parts.read(client, head.get());
  }

  private HintIndex with(HintIndex index, String id, byte[] bytes, Stat stat, Instant now) {
    HintSet set = parse(id, bytes);
    return set == null || set.isExpired(now)
        ? index.without(id)
        : index.with(set, stat.getMzxid(), Instant.ofEpochMilli(stat.getMtime()));
  }

  private @Nullable HintSet parse(String id, byte[] bytes) {
    String source = "znode " + path + "/" + id;
    try {
      HintSet set = SetSerializer.decode(bytes, source);
      if (set.id().equals(id)) {
        return set;
      }
      throw new InvalidHintException(
          source + ": contains the set '" + set.id() + "'; remove it and write that set again");
    } catch (InvalidHintException e) {
      if (logLimit.permits()) {
        LOG.warn("Ignoring an invalid hint set: {}", e.getMessage());
      }
      return null;
    }
  }

  private static boolean isAnswer(CuratorEvent event) {
    int code = event.getResultCode();
    return code == Code.OK.intValue() || code == Code.NONODE.intValue();
  }

  private static Code requireAnswer(CuratorEvent event) throws KeeperException {
    Code code = Code.get(event.getResultCode());
    if (!isAnswer(event)) {
      throw KeeperException.create(code, event.getPath());
    }
    return code;
  }

  private static <T> T next(BlockingQueue<T> answers) throws Exception {
    T answer = answers.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (answer == null) {
      throw KeeperException.create(Code.OPERATIONTIMEOUT);
    }
    return answer;
  }
}
