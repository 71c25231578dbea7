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
final class Silence {

  /** Users beyond this are forgotten when what is known of them says nothing any more. */
  private static final int MANY = 1_000;

  private final LongSupplier clock;
  private final Set<Question> open = ConcurrentHashMap.newKeySet();
  private final Map<String, Vain> vain = new ConcurrentHashMap<>();

  /** When there last was an answer. */
  private volatile long answeredMillis;

  /** A look-up that is being made; compared by identity. */
  static final class Question {
    private final String user;
    private final long sinceMillis;

    private Question(String user, long sinceMillis) {
      this.user = user;
      this.sinceMillis = sinceMillis;
    }
  }

  /** How long a look-up waited that had no answer, and until when that says something. */
  private record Vain(long millis, long endedMillis) {
    boolean counts(long atLeast, long answeredMillis, long nowMillis) {
      return millis >= atLeast && answeredMillis <= endedMillis && nowMillis - endedMillis < millis;
    }
  }

  Silence(LongSupplier clock) {
    this.clock = clock;
  }

  /** A look-up begins. It must be closed. */
  Question begin(String user) {
    Question question = new Question(user, clock.getAsLong());
    open.add(question);
    return question;
  }

  /** There is an answer, be it that there is no such file. */
  void answered(Question question) {
    vain.remove(question.user);
    answeredMillis = clock.getAsLong();
  }

  /** It has been given up. */
  void inVain(Question question) {
    long now = clock.getAsLong();
    if (vain.size() >= MANY) {
      vain.values().removeIf(old -> now - old.endedMillis() >= old.millis());
    }
    vain.put(question.user, new Vain(now - question.sinceMillis, now));
  }

  /** The look-up is over. */
  void end(Question question) {
    open.remove(question);
  }

  /**
   * Whether look-ups for a user have been without an answer for that long. One that ended so counts
   * for as long again if none is answered meanwhile: those that come after it have only just begun.
   */
  boolean lasts(String user, long millis) {
    long now = clock.getAsLong();
    Set<String> stuck = new HashSet<>();
    for (Question question : open) {
      if (now - question.sinceMillis >= millis) {
        stuck.add(question.user);
      }
    }
    long answered = answeredMillis;
    vain.forEach(
        (whose, last) -> {
          if (last.counts(millis, answered, now)) {
            stuck.add(whose);
          }
        });
    return stuck.contains(user) || (stuck.size() > 1 && now - answered >= millis);
  }
}
