package dev.weir.service;

import java.io.IOException;

/** Finds out which of several instances leads. */
public interface LeaderElection extends AutoCloseable {
  /**
   * Begins to take part.
   *
   * @param self what the others know this instance by
   * @param listener told of each change, one at a time, on a thread of its own
   * @throws IOException when it cannot take part
   */
  void start(String self, Listener listener) throws IOException;

  /** Whether this instance leads, as far as it knows. Never waits. */
  boolean isLeader();

  /** Who leads, as far as it was known a moment ago; empty when nobody does. Never waits. */
  String leader();

  /** Takes no part any more; a second call does nothing. */
  @Override
  void close();

  /** Told of it. */
  interface Listener {
    /** This instance leads. */
    void won();

    /** It does not any more. */
    void lost();
  }

  /** For a single instance: it always leads. */
  static LeaderElection alone() {
    return new LeaderElection() {
      private volatile String leader = "";

      @Override
      public void start(String self, Listener listener) {
        leader = self;
        listener.won();
      }

      @Override
      public boolean isLeader() {
        return !leader.isEmpty();
      }

      @Override
      public String leader() {
        return leader;
      }

      @Override
      public void close() {
        leader = "";
      }
    };
  }
}
