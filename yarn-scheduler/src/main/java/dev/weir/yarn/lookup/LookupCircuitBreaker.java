package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Suspends lookups in a file system that does not answer. After several consecutive unanswered
 * lookups, one per second is permitted until one is answered. This saves processor time for the
 * scheduler and threads for other users. State is kept per user, because one user's file system may
 * be reachable when another's is not. Thread-safe.
 */
public final class LookupCircuitBreaker {

  /** About as many lookups as run at one time, so that a single outage counts once. */
  public static final int FAILURE_THRESHOLD = 8;

  /** The pause between permitted lookups, in milliseconds. */
  static final long PAUSE_MILLIS = 1_000;

  private static final int MAX_USERS = 1_000;

  private final LruMap<String, State> users = new LruMap<>(MAX_USERS);

  /** When a lookup of any user was last answered. */
  private long answeredMillis;

  private static final class State {
    /** When the lookups in progress began, the oldest first. */
    private final List<Long> begun = new ArrayList<>();

    private int unanswered;
    private long pauseUntilMillis;
    private long stalledUntilMillis;

    private boolean isStuck(long millis, long nowMillis) {
      return nowMillis < stalledUntilMillis
          || (!begun.isEmpty() && nowMillis - begun.get(0) >= millis);
    }
  }

  synchronized boolean permits(String user, long nowMillis) {
    State state = users.get(user);
    if (state == null || state.unanswered < FAILURE_THRESHOLD) {
      return true;
    }
    if (nowMillis < state.pauseUntilMillis) {
      return false;
    }
    state.pauseUntilMillis = nowMillis + PAUSE_MILLIS;
    return true;
  }

  /**
   * Whether a lookup of the user has had no answer for that long, or answers are unlikely. A lookup
   * that ended without an answer counts for as long again as it took, because later lookups are
   * still too recent to count. If several users lack an answer, and no user has had one for that
   * long, lookups of all users are stalled.
   */
  synchronized boolean isStalled(String user, long millis, long nowMillis) {
    State state = users.get(user);
    if (state != null
        && (state.unanswered >= FAILURE_THRESHOLD || state.isStuck(millis, nowMillis))) {
      return true;
    }
    return nowMillis - answeredMillis >= millis
        && users.values().stream()
                .filter(other -> other.isStuck(millis, nowMillis))
                .limit(2)
                .count()
            > 1;
  }

  /** Records the start of a lookup. */
  synchronized void began(String user, long nowMillis) {
    users.computeIfAbsent(user, State::new).begun.add(nowMillis);
  }

  /**
   * Records the end of a lookup.
   *
   * @param error null if it was answered
   */
  synchronized void ended(
      String user, long begunMillis, @Nullable Throwable error, long nowMillis) {
    State state = users.computeIfAbsent(user, State::new);
    state.begun.remove((Long) begunMillis);
    if (error == null || isAnswer(error)) {
      answeredMillis = nowMillis;
      state.unanswered = 0;
      state.stalledUntilMillis = 0;
      if (state.begun.isEmpty()) {
        users.remove(user);
      }
    } else {
      state.unanswered++;
      state.pauseUntilMillis = nowMillis + PAUSE_MILLIS;
      state.stalledUntilMillis = nowMillis + (nowMillis - begunMillis);
    }
  }

  /** A refusal is an answer. Errors of Weir's own code do not indicate an outage. */
  private static boolean isAnswer(Throwable error) {
    return !(error instanceof IOException)
        || error instanceof RemoteException
        || error instanceof FileNotFoundException
        || error instanceof AccessControlException;
  }
}
