package dev.weir.service.rest;

import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.VersionConflictException;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Changes sets so that no change of another is lost: a change is made from what is read, written
 * only over that, and made again from what another has written meanwhile.
 */
final class SetUpdater {
  /** Each attempt lost means that another's succeeded. */
  private static final int ATTEMPTS = 20;

  private static final int TURNS = 64;
  private static final long TURN_MILLIS = 2_000;

  private final HintStore store;
  private final Clock clock;

  /** Many callers of this instance who change one set take turns, and none starves. */
  private final Lock[] turns = new Lock[TURNS];

  SetUpdater(HintStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
    Arrays.setAll(turns, i -> new ReentrantLock(true));
  }

  /**
   * Reads a set; one that has expired is not there.
   *
   * @throws ProblemException 400 when the id is none
   */
  Optional<StoredSet> find(String id) throws IOException {
    return present(read(id));
  }

  /** Reads a set or says that it is not there. */
  StoredSet require(String id) throws IOException {
    return find(id).orElseThrow(() -> absent(id));
  }

  /**
   * Changes a set.
   *
   * @return what was written
   * @throws ProblemException 409, 412, and what the change throws
   */
  Written change(String id, VersionCondition condition, Change change) throws IOException {
    Lock turn = turns[Math.floorMod(id.hashCode(), turns.length)];
    boolean taken = isTaken(turn);
    try {
      return changeInTurn(id, condition, change);
    } finally {
      if (taken) {
        turn.unlock();
      }
    }
  }

  /** Waits a moment only: what another writes meanwhile is seen without a turn as well. */
  private static boolean isTaken(Lock turn) throws IOException {
    try {
      return turn.tryLock(TURN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a hint set was changed");
    }
  }

  private Written changeInTurn(String id, VersionCondition condition, Change change)
      throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Optional<StoredSet> stored = read(id);
      Optional<StoredSet> present = present(stored);
      condition.requireHolds(id, version(present));
      HintSet set = change.of(present);
      try {
        long version = store.put(set, version(stored).orElse(VersionConflictException.ABSENT));
        return new Written(set, version, present.isEmpty());
      } catch (VersionConflictException e) {
        // Read again; what is written over must have been seen.
      }
    }
    throw contended(id);
  }

  /**
   * Removes a set.
   *
   * @param check sees the set before
   * @throws ProblemException 404, 409, 412, and what the check throws
   */
  void remove(String id, VersionCondition condition, Check check) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Optional<StoredSet> stored = find(id);
      condition.requireHolds(id, version(stored));
      check.of(stored.orElseThrow(() -> absent(id)).set());
      try {
        if (store.remove(id, stored.get().version())) {
          return;
        }
      } catch (VersionConflictException e) {
        // Read again; what is removed must have been seen.
      }
    }
    throw contended(id);
  }

  /** Removes a set whoever it belongs to, if it is still there. */
  void removeIfThere(String id, VersionCondition condition) throws IOException {
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
      throw new ProblemException(Problem.invalid("id", String.valueOf(e.getMessage())), e);
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
    return new ProblemException(Problem.notFound("there is no hint set '" + id + "'"));
  }

  private static ProblemException contended(String id) {
    return new ProblemException(
        new Problem(
            Problem.BLANK,
            409,
            "Conflict",
            "hint set '" + id + "' was changed by others all the while; try again",
            null,
            List.of()));
  }

  /**
   * What was written.
   *
   * @param created whether there was none before
   */
  record Written(HintSet set, long version, boolean created) {}

  /** Makes a set of the one that there is; may be called more than once. */
  @FunctionalInterface
  interface Change {
    HintSet of(Optional<StoredSet> present) throws IOException;
  }

  /** Refuses by throwing; may be called more than once. */
  @FunctionalInterface
  interface Check {
    void of(HintSet present) throws IOException;
  }
}
