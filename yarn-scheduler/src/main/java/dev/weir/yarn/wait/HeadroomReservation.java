package dev.weir.yarn.wait;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Reserves the last headroom of a queue for those keys of an application that wait for their nodes.
 * Keys of lower priority may use only the rest. Each application attempt has one reservation.
 *
 * <p>The scheduler calls this under its locks, so it only reads computed values. The plugin's
 * executor gets the headroom, because YARN takes locks for it that must be taken before the
 * scheduler's. If the headroom is late, no key is blocked.
 */
public final class HeadroomReservation {

  /** How often the headroom is updated while it is needed, in milliseconds. */
  public static final long UPDATE_EVERY_MILLIS = 25;

  /** The oldest headroom that is used, in milliseconds. */
  private static final long MAX_AGE_MILLIS = 200;

  /** After this time a missing headroom no longer blocks keys, in milliseconds. */
  static final long LATE_MILLIS = 500;

  private final Supplier<@Nullable Resource> headroom;
  private final ResourceCalculator calculator;
  private final Executor executor;
  private final Map<SchedulerRequestKey, Waiting> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean updating = new AtomicBoolean();
  private final Object roomLock = new Object();
  private volatile int changes;

  /** The smallest priority number recorded, which YARN serves first. */
  private volatile int highest = Integer.MAX_VALUE;

  private volatile @Nullable Sums sums;
  private volatile @Nullable Room room;
  private volatile long updateStarted;

  private record Waiting(NodeWait nodeWait, Resource each, int containers) {}

  /** Resources awaited by keys up to each priority number. */
  private record Sums(NavigableMap<Integer, Resource> upTo, int changes, long atMillis) {}

  private record Room(Resource left, long atMillis) {}

  /**
   * Creates an empty reservation.
   *
   * @param headroom what the queue still has for the application, null if that is not known; called
   *     by the executor alone
   * @param calculator which resources count
   */
  HeadroomReservation(
      Supplier<@Nullable Resource> headroom, ResourceCalculator calculator, Executor executor) {
    this.headroom = headroom;
    this.calculator = calculator;
    this.executor = executor;
  }

  /**
   * Updates what is pending on a key.
   *
   * @param nodeWait the key's wait for its nodes, null if it does not wait
   */
  public void update(
      SchedulerRequestKey key, @Nullable NodeWait nodeWait, @Nullable Resource each, int count) {
    Waiting before;
    if (nodeWait == null || each == null || count <= 0) {
      before = waiting.isEmpty() ? null : waiting.remove(key);
    } else {
      Waiting now = new Waiting(nodeWait, each, count);
      before = waiting.put(key, now);
      if (before == null) {
        before = now;
      }
    }
    if (before != null) {
      waitChanged(key);
    }
  }

  /** Records that a wait was added, has begun, or was removed on a key. */
  public synchronized void waitChanged(SchedulerRequestKey key) {
    changes++;
    highest = Math.min(highest, key.getPriority().getPriority());
  }

  /** Whether no key waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether a key of that priority may have to leave headroom to others. Usually false. */
  public boolean mayBlock(int priority) {
    return highest < priority && !waiting.isEmpty();
  }

  /** Records a container that is allocated on some key, or is about to be. */
  public void recordAllocated(Resource resource) {
    synchronized (roomLock) {
      Room known = room;
      if (known != null) {
        room = new Room(Resources.subtract(known.left(), resource), known.atMillis());
      }
    }
  }

  /** The resources that keys of higher priority wait for; null if none waits. */
  @Nullable public Resource reservedAbove(int priority, long nowMillis) {
    Map.Entry<Integer, Resource> higher = sums(nowMillis).upTo().lowerEntry(priority);
    return higher == null ? null : higher.getValue();
  }

  /** Whether a container fits beside the reservation of {@link #reservedAbove}. */
  public boolean hasRoomBeside(Resource first, Resource requirement, long nowMillis) {
    Room known = room;
    if (known == null || nowMillis - known.atMillis() >= UPDATE_EVERY_MILLIS) {
      if (!startUpdate(nowMillis)) {
        return true;
      }
      known = room;
    }
    if (known == null || nowMillis - known.atMillis() >= MAX_AGE_MILLIS) {
      return updating.get() && nowMillis - updateStarted >= LATE_MILLIS;
    }
    return Resources.fitsIn(calculator, Resources.add(first, requirement), known.left());
  }

  private Sums sums(long now) {
    Sums known = sums;
    if (known != null
        && known.changes() == changes
        && now - known.atMillis() < UPDATE_EVERY_MILLIS) {
      return known;
    }
    int seen = changes;
    NavigableMap<Integer, Resource> byPriority = new TreeMap<>();
    waiting.forEach(
        (key, its) -> {
          if (its.nodeWait().isOver(now)) {
            waiting.remove(key, its);
          } else if (its.nodeWait().begun()) {
            byPriority.merge(
                key.getPriority().getPriority(),
                Resources.multiply(its.each(), its.containers()),
                Resources::add);
          }
        });
    Resource all = Resources.none();
    for (Map.Entry<Integer, Resource> its : byPriority.entrySet()) {
      all = Resources.add(all, its.getValue());
      its.setValue(all);
    }
    Sums found = new Sums(byPriority, seen, now);
    sums = found;
    return found;
  }

  /** Starts an update of the headroom; false if the executor rejects it. */
  private boolean startUpdate(long now) {
    if (!updating.compareAndSet(false, true)) {
      return true;
    }
    updateStarted = now;
    try {
      executor.execute(() -> updateHeadroom(now));
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      updating.set(false);
      return false;
    }
  }

  private void updateHeadroom(long now) {
    try {
      Resource found = headroom.get();
      synchronized (roomLock) {
        room = found == null ? null : new Room(found, now);
      }
      // The headroom of an application that does not exist is not requested again, and blocks no
      // key.
      updating.set(found == null);
    } catch (RuntimeException | Error e) {
      // The same holds after a failure. An Error that leaves this thread would end the
      // ResourceManager.
      synchronized (roomLock) {
        room = null;
      }
    }
  }
}
