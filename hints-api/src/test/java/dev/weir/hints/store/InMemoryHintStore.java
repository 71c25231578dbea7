package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.index.HintIndex;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Stores hint sets in memory, for tests and for engines without a cluster. Changes are applied on
 * the caller's thread before {@link #put} returns.
 */
public final class InMemoryHintStore implements HintStore {
  private final Shared shared;
  private final String role;
  private final long memory;

  /** Creates an empty store without a role. */
  public InMemoryHintStore(Clock clock) {
    this(clock, HintSettings.DEFAULT_MEMORY);
  }

  /**
   * Creates an empty store without a role.
   *
   * @param memory the limit that {@link #status} reports; the store does not enforce it
   */
  public InMemoryHintStore(Clock clock, long memory) {
    this(new Shared(clock), "", memory);
  }

  private InMemoryHintStore(Shared shared, String role, long memory) {
    this.shared = shared;
    this.role = role;
    this.memory = memory;
    shared.join(role);
  }

  /** Another store of the same sets that is a watcher of a role until it is closed. */
  public InMemoryHintStore withRole(String watcherRole) {
    return new InMemoryHintStore(shared, watcherRole, memory);
  }

  @Override
  public long put(HintSet set) {
    return shared.put(set);
  }

  @Override
  public long put(HintSet set, long expected) throws VersionConflictException {
    return shared.put(set, expected);
  }

  @Override
  public boolean remove(String id) {
    return shared.remove(HintSet.requireId(id));
  }

  @Override
  public boolean remove(String id, long expected) throws VersionConflictException {
    return shared.remove(HintSet.requireId(id), expected);
  }

  @Override
  public Optional<StoredSet> find(String id) {
    return shared.find(HintSet.requireId(id));
  }

  @Override
  public Set<String> ids() {
    return shared.ids();
  }

  @Override
  public StoreStatus status() {
    HintIndex index = snapshot();
    return new StoreStatus(
        true,
        Duration.ZERO,
        index.version(),
        index.setCount(),
        index.size(),
        new StoreStatus.Memory(index.bytes(), memory, 0),
        null);
  }

  @Override
  public List<WatcherInfo> watchers() {
    return shared.watchers();
  }

  @Override
  public HintIndex snapshot() {
    return shared.snapshot();
  }

  @Override
  public boolean awaitLoaded(Duration timeout) {
    return true;
  }

  @Override
  public boolean awaitApplied(
      long version, String role, Predicate<WatcherInfo> filter, Duration timeout)
      throws InterruptedException {
    return shared.awaitApplied(version, role, filter, timeout);
  }

  @Override
  public void close() {
    shared.leave(role);
  }

  private static final class Shared {
    private final Clock clock;
    private final Map<String, StoredSet> sets = new TreeMap<>();
    private final List<String> roles = new ArrayList<>();
    private volatile LiveIndex live;
    private long version;

    Shared(Clock clock) {
      this.clock = clock;
      this.live = LiveIndex.of(HintIndex.empty());
    }

    synchronized void join(String role) {
      roles.add(role);
      notifyAll();
    }

    synchronized void leave(String role) {
      roles.remove(role);
    }

    synchronized Set<String> ids() {
      return Set.copyOf(sets.keySet());
    }

    synchronized long put(HintSet set) {
      version++;
      sets.put(set.id(), new StoredSet(set, version, clock.instant()));
      changed();
      return version;
    }

    synchronized long put(HintSet set, long expected) throws VersionConflictException {
      require(set.id(), expected);
      return put(set);
    }

    synchronized boolean remove(String id, long expected) throws VersionConflictException {
      if (!sets.containsKey(id)) {
        return false;
      }
      require(id, expected);
      return remove(id);
    }

    private void require(String id, long expected) throws VersionConflictException {
      StoredSet present = sets.get(id);
      long actual = present == null ? VersionConflictException.ABSENT : present.version();
      if (actual != expected) {
        throw new VersionConflictException(id, expected, actual);
      }
    }

    synchronized boolean remove(String id) {
      if (sets.remove(id) == null) {
        return false;
      }
      version++;
      changed();
      return true;
    }

    synchronized Optional<StoredSet> find(String id) {
      return Optional.ofNullable(sets.get(id));
    }

    /** All watchers are in this process and up to date before a change is visible. */
    synchronized List<WatcherInfo> watchers() {
      return roles.stream()
          .filter(role -> !role.isEmpty())
          .sorted()
          .map(role -> new WatcherInfo(role, "", 0, version, role))
          .toList();
    }

    HintIndex snapshot() {
      LiveIndex present = live;
      return present.isStale(clock) ? present.at(clock.instant()).index() : present.index();
    }

    synchronized boolean awaitApplied(
        long wanted, String role, Predicate<WatcherInfo> filter, Duration timeout)
        throws InterruptedException {
      long deadline = System.nanoTime() + timeout.toNanos();
      while (watchers().stream()
          .noneMatch(
              one -> one.role().equals(role) && one.version() >= wanted && filter.test(one))) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    }

    private void changed() {
      Instant now = clock.instant();
      HintIndex index = HintIndex.empty();
      for (StoredSet stored : sets.values()) {
        if (!stored.set().isExpired(now)) {
          index = index.with(stored.set(), stored.version(), stored.modified());
        }
      }
      live = LiveIndex.of(index.at(version));
      notifyAll();
    }
  }
}
