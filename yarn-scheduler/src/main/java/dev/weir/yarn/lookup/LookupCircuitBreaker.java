package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Keeps look-ups from a file system that does not answer: after some in a row that had no answer
 * one is let through each second, until one has. Each that is not made leaves its processor to the
 * scheduler, and its thread to what may be answered. Counted for each user, since what one cannot
 * reach another may. Safe for any thread.
 */
public final class LookupCircuitBreaker {

  /** About as many as are under way at one time, so that those that began together count once. */
  public static final int IN_A_ROW = 8;

  /** Between one that is let through and the next. */
  static final long PAUSE_MILLIS = 1_000;

  private static final int MAX_USERS = 1_000;

  private final LruMap<String, State> users = new LruMap<>(MAX_USERS);

  private static final class State {
    private int unanswered;
    private long pauseUntilMillis;
  }

  /** Whether a look-up may be made now. */
  synchronized boolean mayAsk(String user, long nowMillis) {
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

  /** Whether nothing that is asked now is likely to be answered. */
  synchronized boolean isOpen(String user) {
    State state = users.get(user);
    return state != null && state.unanswered >= IN_A_ROW;
  }

  /** A look-up was answered, if only by a refusal. */
  synchronized void answered(String user) {
    users.remove(user);
  }

  /** A look-up failed. */
  synchronized void failed(String user, Throwable error, long nowMillis) {
    if (isAnswer(error)) {
      answered(user);
      return;
    }
    State state = users.orPut(user, State::new);
    state.unanswered++;
    state.pauseUntilMillis = nowMillis + PAUSE_MILLIS;
  }

  /** Errors of our own say nothing of the file system. */
  private static boolean isAnswer(Throwable error) {
    return !(error instanceof IOException)
        || error instanceof RemoteException
        || error instanceof FileNotFoundException
        || error instanceof AccessControlException;
  }
}
