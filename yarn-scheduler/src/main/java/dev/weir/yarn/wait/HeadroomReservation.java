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
 * Keeps the last room of a queue for those keys of an application that wait for their nodes: none
 * of a lower priority takes what they need, as none does where YARN has them wait. It may take what
 * is left besides. One for each application attempt.
 *
 * <p>Asked under the scheduler's locks, so it only reads what others have put there: the headroom,
 * for which YARN takes locks that come before those, is asked for by the plugin's executor. Where
 * that is late nobody is kept waiting.
 */
public final class HeadroomReservation {

  /** How often the headroom is asked for, while somebody wants to know. */
  public static final long LOOK_EVERY_MILLIS = 25;

  /** So old it still counts, if no newer is to be had. */
  private static final long GOOD_MILLIS = 200;

  /** An answer that takes longer is not waited for. */
  static final long LATE_MILLIS = 500;

  private final Supplier<@Nullable Resource> headroom;
  private final ResourceCalculator rule;
  private final Executor executor;
  private final Map<SchedulerRequestKey, Waiting> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Object roomLock = new Object();
  private volatile int changes;

  /** The smallest number of a priority that was noted; the one that comes first. */
  private volatile int highest = Integer.MAX_VALUE;

  private volatile @Nullable Sums sums;
  private volatile @Nullable Room room;
  private volatile long lookingSince;

  private record Waiting(NodeWait nodeWait, Resource each, int containers) {}

  /** What those wait for that have a priority of that number or a smaller one. */
  private record Sums(NavigableMap<Integer, Resource> upTo, int changes, long atMillis) {}

  private record Room(Resource left, long atMillis) {}

  /**
   * Knows of nobody who waits.
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
   * Takes note of what is pending on a key.
   *
   * @param nodeWait with which it waits for its nodes, null if it does not
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

  /** Something has come to be, begun or gone on a key that was noted. */
  public synchronized void changed(SchedulerRequestKey key) {
    changes++;
    highest = Math.min(highest, key.getPriority().getPriority());
  }

  /** Whether nothing is noted. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether others may have to come before a key of that priority. Most often none have. */
  public boolean mayBlock(int priority) {
    return highest < priority && !waiting.isEmpty();
  }

  /** A container is given on some key, or about to be. */
  public void given(Resource resource) {
    synchronized (roomLock) {
      Room known = room;
      if (known != null) {
        room = new Room(Resources.subtract(known.left(), resource), known.atMillis());
      }
    }
  }

  /** What those of higher priority wait for, whose wait has begun; null if none does. */
  @Nullable
  public Resource before(int priority, long nowMillis) {
    Map.Entry<Integer, Resource> higher = sums(nowMillis).upTo().lowerEntry(priority);
    return higher == null ? null : higher.getValue();
  }

  /**
   * Whether a container may be given beside what {@link #before} says is to come first.
   *
   * @param need of one container
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

  /** False if it cannot be looked. */
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
      // An application that is not there is not looked for again, and nobody waits for it.
      looking.set(found == null);
    } catch (RuntimeException | Error e) {
      // Nor is it then; an Error that left this thread would end the ResourceManager.
      synchronized (roomLock) {
        room = null;
      }
    }
  }
}
