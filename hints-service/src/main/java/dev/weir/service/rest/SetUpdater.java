package dev.weir.service.rest;

import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.VersionConflictException;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * Changes sets without losing concurrent changes. A change is computed from the version read,
 * written only over that version, and repeated if another writer was faster.
 */
final class SetUpdater {
  /** The most attempts. Each attempt that fails means that another writer succeeded. */
  private static final int MAX_ATTEMPTS = 20;

  private static final int LOCK_STRIPES = 64;
  private static final long LOCK_TIMEOUT_MILLIS = 2_000;

  private final HintStore store;
  private final RoomCheck room;
  private final Clock clock;

  /**
   * Fair locks that serialise the callers of this instance that change the same set, so that none
   * starves.
   */
  private final Lock[] locks = new Lock[LOCK_STRIPES];

  SetUpdater(HintStore store, RoomCheck room, Clock clock) {
    this.store = store;
    this.room = room;
    this.clock = clock;
    Arrays.setAll(locks, i -> new ReentrantLock(true));
  }

  /**
   * Reads a set; empty if it does not exist or has expired.
   *
   * @throws ProblemException 400 if the id is invalid
   */
  Optional<StoredSet> find(String id) throws IOException {
    return present(read(id));
  }

  /** Reads a set that must exist. */
  StoredSet require(String id) throws IOException {
    return find(id).orElseThrow(() -> absent(id));
  }

  /**
   * Changes a set.
   *
   * @param change computes the new set from the current one; may be called more than once
   * @return what was written
   * @throws ProblemException 409, 412, 507, and those of the change
   */
  Written change(
      String id,
      VersionCondition condition,
      FunctionRaisingIOE<Optional<StoredSet>, HintSet> change)
      throws IOException {
    Lock lock = locks[Math.floorMod(id.hashCode(), locks.length)];
    boolean locked = tryLock(lock);
    try {
      return changeLocked(id, condition, change);
    } finally {
      if (locked) {
        lock.unlock();
      }
    }
  }

  /** Waits a limited time. A change without the lock is safe too, because versions are checked. */
  private static boolean tryLock(Lock lock) throws IOException {
    try {
      return lock.tryLock(LOCK_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a hint set was changed");
    }
  }

  private Written changeLocked(
      String id,
      VersionCondition condition,
      FunctionRaisingIOE<Optional<StoredSet>, HintSet> change)
      throws IOException {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Optional<StoredSet> stored = read(id);
      Optional<StoredSet> present = present(stored);
      condition.requireHolds(id, version(present));
      HintSet set = change.apply(present);
      room.require(set);
      try {
        long version = store.put(set, version(stored).orElse(VersionConflictException.ABSENT));
        return new Written(set, version, present.isEmpty());
      } catch (VersionConflictException e) {
        // The next round computes the change from the new version.
      }
    }
    throw conflict(id);
  }

  /**
   * Removes a set.
   *
   * @param check refuses a removal by throwing; may be called more than once
   * @throws ProblemException 404, 409, 412, and those of the check
   */
  void remove(String id, VersionCondition condition, ConsumerRaisingIOE<HintSet> check)
      throws IOException {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Optional<StoredSet> stored = find(id);
      condition.requireHolds(id, version(stored));
      check.accept(stored.orElseThrow(() -> absent(id)).set());
      try {
        if (store.remove(id, stored.get().version())) {
          return;
        }
      } catch (VersionConflictException e) {
        // The next round checks the new version.
      }
    }
    throw conflict(id);
  }

  /** Removes a set of any owner, if it exists. */
  void removeIfPresent(String id, VersionCondition condition) throws IOException {
    try {
      remove(id, condition, set -> {});
    } catch (ProblemException e) {
      if (e.problem().status() != 404) {
        throw e;
      }
    }
  }

  private Optional<StoredSet> read(String id) throws IOException {
    try {
      HintSet.requireId(id);
    } catch (InvalidHintException e) {
      throw ProblemException.invalid("id", String.valueOf(e.getMessage())).because(e);
    }
    return store.find(id);
  }

  private Optional<StoredSet> present(Optional<StoredSet> stored) {
    return stored.filter(found -> !found.set().isExpired(clock.instant()));
  }

  private static OptionalLong version(Optional<StoredSet> stored) {
    return stored.map(set -> OptionalLong.of(set.version())).orElse(OptionalLong.empty());
  }

  private static ProblemException absent(String id) {
    return ProblemException.notFound("there is no hint set '" + id + "'");
  }

  private static ProblemException conflict(String id) {
    return ProblemException.of(
        409,
        "Conflict",
        "hint set '" + id + "' was changed by others during every attempt; try again");
  }

  /**
   * The result of a write.
   *
   * @param created whether the set did not exist before
   */
  record Written(HintSet set, long version, boolean created) {}
}
