package dev.weir.hints.store;

import dev.weir.hints.HintIndex;
import dev.weir.hints.HintSet;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hint sets in the memory of this process, for tests and for engines that need no cluster. Changes
 * are applied, and consumers told, before {@link #put} returns, on the caller's thread.
 */
public final class InMemoryHintStore implements HintStore {
  private final Shared shared;
  private final String role;
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /** An empty store, a watcher of no role. */
  public InMemoryHintStore(Clock clock) {
    this(new Shared(clock), "");
  }

  private InMemoryHintStore(Shared shared, String role) {
    this.shared = shared;
    this.role = role;
    shared.join(role);
  }

  /** Another store over the same sets that is a watcher of this role until it is closed. */
  public InMemoryHintStore withRole(String watcherRole) {
    return new InMemoryHintStore(shared, watcherRole);
  }

  @Override
  public long put(HintSet set) {
    return shared.put(set);
  }

  @Override
  public boolean remove(String id) {
    return shared.remove(HintSet.requireId(id));
  }

  @Override
  public Optional<HintSet> get(String id) {
    return shared.get(HintSet.requireId(id));
  }

  @Override
  public HintIndex snapshot() {
    return shared.snapshot();
  }

  @Override
  public Watch watch(Consumer<HintIndex> consumer) {
    Watch watch = shared.watch(consumer);
    watches.add(watch);
    return watch;
  }

  @Override
  public boolean awaitLoaded(Duration timeout) {
    return true;
  }

  @Override
  public boolean awaitApplied(long version, String wantedRole, Duration timeout)
      throws InterruptedException {
    return shared.awaitApplied(version, wantedRole, timeout);
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
    shared.leave(role);
  }

  /** The sets and who watches them. */
  private static final class Shared {
    private final Clock clock;
    private final Map<String, HintSet> sets = new TreeMap<>();
    private final List<String> roles = new ArrayList<>();
    private final List<Consumer<HintIndex>> consumers = new ArrayList<>();
    private volatile LiveIndex live;
    private long version;

    Shared(Clock clock) {
      this.clock = clock;
      this.live = LiveIndex.of(List.of(), 0, clock.instant());
    }

    synchronized void join(String role) {
      roles.add(role);
      notifyAll();
    }

    synchronized void leave(String role) {
      roles.remove(role);
    }

    synchronized long put(HintSet set) {
      sets.put(set.id(), set);
      changed();
      return version;
    }

    synchronized boolean remove(String id) {
      if (sets.remove(id) == null) {
        return false;
      }
      changed();
      return true;
    }

    synchronized Optional<HintSet> get(String id) {
      return Optional.ofNullable(sets.get(id));
    }

    HintIndex snapshot() {
      LiveIndex present = live;
      return present.isStale(clock.instant())
          ? present.at(clock.instant()).index()
          : present.index();
    }

    synchronized Watch watch(Consumer<HintIndex> consumer) {
      consumers.add(consumer);
      Watchers.tell(consumer, live.index());
      return () -> unwatch(consumer);
    }

    synchronized boolean awaitApplied(long wanted, String role, Duration timeout)
        throws InterruptedException {
      long deadline = System.nanoTime() + timeout.toNanos();
      while (version < wanted || !roles.contains(role)) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    }

    private synchronized void unwatch(Consumer<HintIndex> consumer) {
      consumers.remove(consumer);
    }

    private void changed() {
      version++;
      live = LiveIndex.of(sets.values(), version, clock.instant());
      List.copyOf(consumers).forEach(consumer -> Watchers.tell(consumer, live.index()));
      notifyAll();
    }
  }
}
