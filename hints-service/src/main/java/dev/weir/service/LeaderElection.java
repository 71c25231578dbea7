package dev.weir.service;

import java.io.IOException;

/** Elects one of several instances of the service as the leader. */
public interface LeaderElection extends AutoCloseable {
  /**
   * Joins the election.
   *
   * @param self the name of this instance for the others
   * @param listener receives each change, one at a time, on its own thread
   */
  void start(String self, Listener listener) throws IOException;

  /** Returns whether this instance leads, as far as it knows. Never blocks. */
  boolean isLeader();

  /** Returns the last known leader; empty if there is none. Never blocks. */
  String leader();

  /** Leaves the election. Idempotent. */
  @Override
  void close();

  /** Receives changes of the leadership. */
  interface Listener {
    void won();

    void lost();
  }
}
