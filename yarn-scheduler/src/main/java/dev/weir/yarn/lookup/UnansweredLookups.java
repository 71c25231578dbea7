package dev.weir.yarn.lookup;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * For how long the file system has told nothing, and whom. One user's directory that takes long to
 * list says nothing of the files of others, so a silence counts for the user who meets it; and for
 * all when several meet it and nobody has been answered since. Safe for any thread.
 */
final class UnansweredLookups {

  /** Users beyond this are forgotten when what is known of them says nothing any more. */
  private static final int MANY = 1_000;

  private final LongSupplier clock;
  private final Set<Lookup> open = ConcurrentHashMap.newKeySet();
  private final Map<String, Unanswered> unanswered = new ConcurrentHashMap<>();

  /** When there last was an answer. */
  private volatile long answeredMillis;

  /** A look-up that is being made; compared by identity. */
  static final class Lookup {
    private final String user;
    private final long sinceMillis;

    private Lookup(String user, long sinceMillis) {
      this.user = user;
      this.sinceMillis = sinceMillis;
    }
  }

  /** How long a look-up waited that had no answer, and until when that says something. */
  private record Unanswered(long millis, long endedMillis) {
    boolean counts(long atLeast, long answeredMillis, long nowMillis) {
      return millis >= atLeast && answeredMillis <= endedMillis && nowMillis - endedMillis < millis;
    }
  }

  UnansweredLookups(LongSupplier clock) {
    this.clock = clock;
  }

  /** A look-up begins. It must be closed. */
  Lookup begin(String user) {
    Lookup asked = new Lookup(user, clock.getAsLong());
    open.add(asked);
    return asked;
  }

  /** There is an answer, be it that there is no such file. */
  void answered(Lookup asked) {
    unanswered.remove(asked.user);
    answeredMillis = clock.getAsLong();
  }

  /** It has been given up. */
  void endedUnanswered(Lookup asked) {
    long now = clock.getAsLong();
    if (unanswered.size() >= MANY) {
      unanswered.values().removeIf(old -> now - old.endedMillis() >= old.millis());
    }
    unanswered.put(asked.user, new Unanswered(now - asked.sinceMillis, now));
  }

  /** The look-up is over. */
  void end(Lookup asked) {
    open.remove(asked);
  }

  /**
   * Whether look-ups for a user have been without an answer for that long. One that ended so counts
   * for as long again if none is answered meanwhile: those that come after it have only just begun.
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
