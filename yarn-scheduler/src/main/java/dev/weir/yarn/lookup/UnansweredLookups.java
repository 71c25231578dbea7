package dev.weir.yarn.lookup;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tracks how long, and for which users, the file system has not answered. A directory of one user
 * that takes long to list does not affect other users' files. So a missing answer counts for its
 * user, and for all users if several lack one and no user has had an answer since. Thread-safe.
 */
final class UnansweredLookups {

  /** Expired records are removed beyond this number. */
  private static final int MAX_RECORDS = 1_000;

  private final LongSupplier clock;
  private final Set<Lookup> open = ConcurrentHashMap.newKeySet();
  private final Map<String, Unanswered> unanswered = new ConcurrentHashMap<>();

  /** The time of the last answer. */
  private volatile long answeredMillis;

  /** A lookup in progress, compared by identity. */
  static final class Lookup {
    private final String user;
    private final long sinceMillis;

    private Lookup(String user, long sinceMillis) {
      this.user = user;
      this.sinceMillis = sinceMillis;
    }
  }

  /** How long an unanswered lookup took, and when it ended. */
  private record Unanswered(long millis, long endedMillis) {
    boolean counts(long atLeast, long answeredMillis, long nowMillis) {
      return millis >= atLeast && answeredMillis <= endedMillis && nowMillis - endedMillis < millis;
    }
  }

  UnansweredLookups(LongSupplier clock) {
    this.clock = clock;
  }

  /** Records the start of a lookup, which must be ended. */
  Lookup begin(String user) {
    Lookup lookup = new Lookup(user, clock.getAsLong());
    open.add(lookup);
    return lookup;
  }

  /** Records an answer, even that the file does not exist. */
  void answered(Lookup lookup) {
    unanswered.remove(lookup.user);
    answeredMillis = clock.getAsLong();
  }

  /** Records that a lookup ended without an answer. */
  void endedUnanswered(Lookup lookup) {
    long now = clock.getAsLong();
    if (unanswered.size() >= MAX_RECORDS) {
      unanswered.values().removeIf(old -> now - old.endedMillis() >= old.millis());
    }
    unanswered.put(lookup.user, new Unanswered(now - lookup.sinceMillis, now));
  }

  void end(Lookup lookup) {
    open.remove(lookup);
  }

  /**
   * Whether lookups of a user have had no answer for that long. A lookup that ended without an
   * answer counts for as long again as it took, unless another is answered meanwhile, because later
   * lookups are still too recent to count.
   */
  boolean lasts(String user, long millis) {
    long now = clock.getAsLong();
    Set<String> stuck = new HashSet<>();
    for (Lookup lookup : open) {
      if (now - lookup.sinceMillis >= millis) {
        stuck.add(lookup.user);
      }
    }
    long answered = answeredMillis;
    unanswered.forEach(
        (owner, last) -> {
          if (last.counts(millis, answered, now)) {
            stuck.add(owner);
          }
        });
    return stuck.contains(user) || (stuck.size() > 1 && now - answered >= millis);
  }
}
