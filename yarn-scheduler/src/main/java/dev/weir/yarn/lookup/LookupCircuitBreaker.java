package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

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

  private static final class State {
    private int unanswered;
    private long pauseUntilMillis;
  }

  synchronized boolean permits(String user, long nowMillis) {
    State state = users.get(user);
    if (state == null || !isOpen(user)) {
      return true;
    }
    if (nowMillis < state.pauseUntilMillis) {
      return false;
    }
    state.pauseUntilMillis = nowMillis + PAUSE_MILLIS;
    return true;
  }

  /** Whether lookups are suspended because answers are unlikely. */
  synchronized boolean isOpen(String user) {
    State state = users.get(user);
    return state != null && state.unanswered >= FAILURE_THRESHOLD;
  }

  /** Records a lookup that was answered, even with a refusal. */
  synchronized void answered(String user) {
    users.remove(user);
  }

  synchronized void failed(String user, Throwable error, long nowMillis) {
    if (isAnswer(error)) {
      answered(user);
      return;
    }
    State state = users.computeIfAbsent(user, State::new);
    state.unanswered++;
    state.pauseUntilMillis = nowMillis + PAUSE_MILLIS;
  }

  /** Errors of Weir's own code do not indicate an outage. */
  private static boolean isAnswer(Throwable error) {
    return !(error instanceof IOException)
        || error instanceof RemoteException
        || error instanceof FileNotFoundException
        || error instanceof AccessControlException;
  }
}
