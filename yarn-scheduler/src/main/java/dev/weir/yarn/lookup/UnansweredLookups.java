package dev.weir.yarn.lookup;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tracks how long, and for which users, the file system has not answered. One user's directory that
 * takes long to list says nothing about other users' files. So silence counts for the user who
 * meets it, and for all users if several meet it and no user has had an answer since. Thread-safe.
 */
final class UnansweredLookups {

  /** Beyond this number of users, records that have expired are removed. */
  private static final int MANY = 1_000;

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
    Lookup asked = new Lookup(user, clock.getAsLong());
    open.add(asked);
    return asked;
  }

  /** Records an answer, even one that there is no such file. */
  void answered(Lookup asked) {
    unanswered.remove(asked.user);
    answeredMillis = clock.getAsLong();
  }

  /** Records that a lookup ended without an answer. */
  void endedUnanswered(Lookup asked) {
    long now = clock.getAsLong();
    if (unanswered.size() >= MANY) {
      unanswered.values().removeIf(old -> now - old.endedMillis() >= old.millis());
    }
    unanswered.put(asked.user, new Unanswered(now - asked.sinceMillis, now));
  }

  /** Records the end of a lookup. */
  void end(Lookup asked) {
    open.remove(asked);
  }

  /**
   * Whether lookups of a user have had no answer for that long. A lookup that ended without an
   * answer counts for as long again as it took, unless another is answered meanwhile, because
   * lookups after it have only just begun.
   */
  boolean lasts(String user, long millis) {
    long now = clock.getAsLong();
    Set<String> stuck = new HashSet<>();
    for (Lookup asked : open) {
      if (now - asked.sinceMillis >= millis) {
        stuck.add(asked.user);
      }
    }
    long answered = answeredMillis;
    unanswered.forEach(
        (whose, last) -> {
          if (last.counts(millis, answered, now)) {
            stuck.add(whose);
          }
        });
    return stuck.contains(user) || (stuck.size() > 1 && now - answered >= millis);
  }
}
