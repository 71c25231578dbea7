package dev.weir.service;

/** The election of a single instance, which always leads. */
public final class SingleInstance implements LeaderElection {
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
}
