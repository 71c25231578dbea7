package dev.weir.yarn;

import java.util.Map;

/**
 * What is remembered of one key on which files were named.
 *
 * @param sent containers by host and rack as last told to the scheduler; they are ours to withdraw
 * @param nodes the nodes of each name that has been located
 * @param unresolved whether names were sent without their nodes because their look-up is under way
 * @param patience until when other nodes are to wait
 * @param askedMillis when containers were last added, for telling how long they took
 */
record KeyState(
    Wishes wishes,
    Map<String, Integer> sent,
    Map<String, RankedNodes> nodes,
    boolean unresolved,
    Hold hold,
    Patience patience,
    long askedMillis) {

  static final KeyState NEW =
      new KeyState(Wishes.NONE, Map.of(), Map.of(), false, Hold.NONE, Patience.NONE, 0);

  KeyState {
    sent = Map.copyOf(sent);
    nodes = Map.copyOf(nodes);
  }

  /** Whether there may be something to do although the ApplicationMaster asks nothing new. */
  boolean waits() {
    return hold.active() || unresolved;
  }
}
