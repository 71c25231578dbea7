package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.LogLimit;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.index.SetMemory;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private final SetsWatch changed;
  private final SetParts parts;
  private final StoreAclProvider access;
  private final long maxBytes;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  /** The last indexed change of each set, including sets that were left out. */
  private Map<String, Long> known = Map.of();

  /** The sets whose last change would exceed the memory, with their estimated bytes. */
  private final Map<String, Long> leftOut = new TreeMap<>();

  /** The sets that others than the permitted writers may change. */
  private final Set<String> untrusted = new TreeSet<>();

  private volatile int leftOutCount;
  private volatile int untrustedCount;

  /**
   * @param access decides whose sets are followed
   * @param maxBytes the most memory of the index; sets that exceed it are left out
   */
  SetsReader(
      String path, SetParts parts, SetsWatch changed, StoreAclProvider access, long maxBytes) {
    this.path = path;
    this.parts = parts;
    this.changed = changed;
    this.access = access;
    this.maxBytes = maxBytes;
  }

  /** The number of sets whose last change would exceed the memory. Any thread may call it. */
  int leftOut() {
    return leftOutCount;
  }

  /** The number of sets that others may change. Any thread may call it. */
  int untrusted() {
    return untrustedCount;
  }

  /** The parent's stamp and the changes known when it was read. */
  private record Start(CuratorEvent stamp, SetsWatch.Changes changes) {}

  /**
   * The index with all changes up to its version. After a failure the next call reads everything.
   *
   * @param before the last result, without sets that have expired since
   */
  HintIndex read(CuratorFramework client, HintIndex before, Instant now) throws Exception {
    try {
      access.requireTrusted(client);
      return update(client, before, now);
    } catch (Exception e) {
      changed.markAll();
      throw e;
    } finally {
      leftOutCount = leftOut.size();
      untrustedCount = untrusted.size();
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
                    isAnswer(event) ? changed.take() : new SetsWatch.Changes(true, Set.of())));
    client.checkExists().inBackground(callback).forPath(path);
    Start start = next(answer);
    Stat stat = start.stamp().getStat();
    if (requireAnswer(start.stamp()) == Code.NONODE || stat == null) {
      known = Map.of();
      leftOut.clear();
      untrusted.clear();
      HintIndex cleared = before;
      for (var set : before.sets()) {
        cleared = cleared.without(set.id());
      }
      return cleared.at(0);
    }
    long version = Math.max(stat.getMzxid(), stat.getPzxid());
    HintIndex index =
        start.changes().all()
            ? readAll(client, before, now)
            : readSome(client, before, now, start.changes().ids());
    try {
      return readSome(client, index, now, again(index)).at(version);
    } catch (Exception e) {
      // The sets that were read are known, but not in the index that stays.
      known = Map.of();
      leftOut.clear();
      untrusted.clear();
      throw e;
    }
  }

  /** The sets that were not followed and may be now: they fit, or their writers have changed. */
  private Set<String> again(HintIndex index) {
    Set<String> ids = new TreeSet<>(untrusted);
    long room = maxBytes - index.bytes();
    for (Map.Entry<String, Long> one : leftOut.entrySet()) {
      long growth = one.getValue() - bytes(index, one.getKey());
      if (growth <= room) {
        room -= growth;
        ids.add(one.getKey());
      }
    }
    known.keySet().removeAll(ids);
    return ids;
  }

  private static long bytes(HintIndex index, String id) {
    return index.set(id).map(SetInfo::bytes).orElse(0L);
  }

  private HintIndex readAll(CuratorFramework client, HintIndex before, Instant now)
      throws Exception {
    Set<String> present = new HashSet<>(client.getChildren().forPath(path));
    HintIndex remaining = before;
    for (SetInfo set : before.sets()) {
      remaining = present.contains(set.id()) ? remaining : remaining.without(set.id());
    }
    Map<String, Long> versions = new HashMap<>(known);
    versions.keySet().retainAll(present);
    leftOut.keySet().retainAll(present);
    untrusted.retainAll(present);
    return readEach(client, remaining, now, present, versions);
  }

  private HintIndex readSome(
      CuratorFramework client, HintIndex before, Instant now, Set<String> ids) throws Exception {
    Map<String, Long> versions = new HashMap<>(known);
    return readEach(client, before, now, ids, versions);
  }

  /**
   * First compares the sets with a known version, then reads the others: first their access control
   * lists, then their data. So the data were written under these lists.
   */
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
          client.getACL().inBackground(callback).forPath(toRead.remove());
        }
        inFlight++;
      }
      CuratorEvent event = next(answers);
      inFlight--;
      String id = event.getPath().substring(path.length() + 1);
      Stat stat = event.getStat();
      if (requireAnswer(event) == Code.NONODE || stat == null) {
        versions.remove(id);
        leftOut.remove(id);
        untrusted.remove(id);
        index = index.without(id);
      } else if (event.getType() == CuratorEventType.GET_ACL) {
        if (isTrusted(id, event)) {
          client.getData().inBackground(callback).forPath(event.getPath());
          inFlight++;
        } else {
          versions.put(id, stat.getMzxid());
          index = index.without(id);
        }
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

  private boolean isTrusted(String id, CuratorEvent event) {
    String stranger = access.strangerIn(event.getACLList());
    if (stranger == null) {
      untrusted.remove(id);
      return true;
    }
    if (untrusted.add(id) && logLimit.permits()) {
      LOG.warn("Ignoring hint set {}, which {} may change", event.getPath(), stranger);
    }
    return false;
  }

  /** Empty if the set is in parts that are missing. */
  private Optional<byte[]> content(CuratorFramework client, byte[] bytes) throws Exception {
    Optional<SetParts.Head> head = SetParts.Head.parse(bytes);
    return head.isEmpty() ? Optional.of(bytes) : parts.read(client, head.get());
  }

  /** Adds a set; keeps its last version if the memory does not suffice for this one. */
  private HintIndex with(HintIndex index, String id, byte[] bytes, Stat stat, Instant now) {
    leftOut.remove(id);
    long room = maxBytes - index.bytes() + bytes(index, id);
    String source = "znode " + path + "/" + id;
    try {
      byte[] json = SetSerializer.json(bytes, source);
      // A set takes more memory than half of its JSON has, so this one need not be decoded.
      if (json.length / 2 > room) {
        return leaveOut(index, id, json.length / 2);
      }
      HintSet set = SetSerializer.decode(json, source);
      if (!set.id().equals(id)) {
        throw new InvalidHintException(
            source + ": contains the set '" + set.id() + "'; remove it and write that set again");
      }
      if (set.isExpired(now)) {
        return index.without(id);
      }
      long needed = SetMemory.bytes(set);
      return needed > room
          ? leaveOut(index, id, needed)
          : index.with(set, stat.getMzxid(), Instant.ofEpochMilli(stat.getMtime()));
    } catch (InvalidHintException e) {
      if (logLimit.permits()) {
        LOG.warn("Ignoring an invalid hint set: {}", e.getMessage());
      }
      return index.without(id);
    }
  }

  private HintIndex leaveOut(HintIndex index, String id, long needed) {
    leftOut.put(id, needed);
    if (logLimit.permits()) {
      LOG.warn(
          "Not following the last change of {}/{}: it needs {} bytes, and {} of {} ({}) are used."
              + " {} sets are left out; remove some, use patterns with wildcards, or raise the"
              + " limit",
          path,
          id,
          needed,
          index.bytes(),
          maxBytes,
          HintSettings.MEMORY_KEY,
          leftOut.size());
    }
    return index;
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
