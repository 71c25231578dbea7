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
 * Keys of lower priority may use only what is left beside it, as when YARN makes them wait. There
 * is one for each application attempt.
 *
 * <p>The scheduler calls this under its locks, so it only reads what others have computed. The
 * plugin's executor gets the headroom, for which YARN takes locks that come first in its order. If
 * the headroom is late, no key is blocked.
 */
public final class HeadroomReservation {

  /** How often the headroom is updated while it is needed, in milliseconds. */
  public static final long LOOK_EVERY_MILLIS = 25;

  /** The longest that an old headroom is used if there is no newer one, in milliseconds. */
  private static final long GOOD_MILLIS = 200;

  /** After this time a missing headroom blocks no key any more, in milliseconds. */
  static final long LATE_MILLIS = 500;

  private final Supplier<@Nullable Resource> headroom;
  private final ResourceCalculator rule;
  private final Executor executor;
  private final Map<SchedulerRequestKey, Waiting> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Object roomLock = new Object();
  private volatile int changes;

  /** The smallest priority number recorded, which YARN serves first. */
  private volatile int highest = Integer.MAX_VALUE;

  private volatile @Nullable Sums sums;
  private volatile @Nullable Room room;
  private volatile long lookingSince;

  private record Waiting(NodeWait nodeWait, Resource each, int containers) {}

  /** Resources awaited by keys up to each priority number. */
  private record Sums(NavigableMap<Integer, Resource> upTo, int changes, long atMillis) {}

  private record Room(Resource left, long atMillis) {}

  /**
   * Creates an empty reservation.
   *
   * @param headroom what the queue still has for the application, null if that is not known; called
   *     by the executor alone
   * @param rule which resources count
   */
  HeadroomReservation(
      Supplier<@Nullable Resource> headroom, ResourceCalculator rule, Executor executor) {
    this.headroom = headroom;
    this.rule = rule;
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
      changed(key);
    }
  }

  /** Records that a wait was added, has begun, or was removed on a key. */
  public synchronized void changed(SchedulerRequestKey key) {
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
  public void given(Resource resource) {
    synchronized (roomLock) {
      Room known = room;
      if (known != null) {
        room = new Room(Resources.subtract(known.left(), resource), known.atMillis());
      }
    }
  }

  /** What keys of higher priority need whose wait has begun; null if there are none. */
  @Nullable public Resource before(int priority, long nowMillis) {
    Map.Entry<Integer, Resource> higher = sums(nowMillis).upTo().lowerEntry(priority);
    return higher == null ? null : higher.getValue();
  }

  /**
   * Whether a container fits beside the reservation of {@link #before}.
   *
   * @param need the resources of one container
   */
  public boolean hasRoomBeside(Resource first, Resource need, long nowMillis) {
    Room known = room;
    if (known == null || nowMillis - known.atMillis() >= LOOK_EVERY_MILLIS) {
      if (!look(nowMillis)) {
        return true;
      }
      known = room;
    }
    if (known == null || nowMillis - known.atMillis() >= GOOD_MILLIS) {
      return looking.get() && nowMillis - lookingSince >= LATE_MILLIS;
    }
    return Resources.fitsIn(rule, Resources.add(first, need), known.left());
  }

  private Sums sums(long now) {
    Sums known = sums;
    if (known != null && known.changes() == changes && now - known.atMillis() < LOOK_EVERY_MILLIS) {
      return known;
    }
    int seen = changes;
    NavigableMap<Integer, Resource> byPriority = new TreeMap<>();
    waiting.forEach(
        (key, its) -> {
          if (its.nodeWait().over(now)) {
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
  private boolean look(long now) {
    if (!looking.compareAndSet(false, true)) {
      return true;
    }
    lookingSince = now;
    try {
      executor.execute(() -> lookAndFinish(now));
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      looking.set(false);
      return false;
    }
  }

  private void lookAndFinish(long now) {
    try {
      Resource found = headroom.get();
      synchronized (roomLock) {
        room = found == null ? null : new Room(found, now);
      }
      // The headroom of an application that does not exist is not requested again, and blocks no
      // key.
      looking.set(found == null);
    } catch (RuntimeException | Error e) {
      // The same holds after a failure. An Error that leaves this thread would end the
      // ResourceManager.
      synchronized (roomLock) {
        room = null;
      }
    }
  }
}
