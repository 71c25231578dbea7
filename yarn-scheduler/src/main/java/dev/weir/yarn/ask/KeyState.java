package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.wait.NodeWait;
import java.util.Map;
import java.util.Set;

/**
 * What is remembered of one key on which files were named.
 *
 * @param sent containers by host and rack as last told to the scheduler; they are ours to withdraw
 * @param nodes the nodes of each name that has been located
 * @param awaited what may still tell of nodes for names that were sent without
 * @param nodeWait until when other nodes are to wait
 * @param askedMillis when containers were last added, for telling how long they took
 */
record KeyState(
    RequestedAsks requested,
    Map<String, Integer> sent,
    Map<String, RankedNodes> nodes,
    Awaited awaited,
    AskHold hold,
    NodeWait nodeWait,
    long askedMillis) {

  /**
   * What may tell of more nodes without the ApplicationMaster asking again.
   *
   * @param lookUps whether files are being looked up
   * @param hosts hosts of files on which no NodeManager has been seen
   */
  record Awaited(boolean lookUps, Set<String> hosts) {

    static final Awaited NONE = new Awaited(false, Set.of());

    Awaited {
      hosts = Set.copyOf(hosts);
    }
  }

  static final KeyState NEW =
      new KeyState(
          RequestedAsks.NONE, Map.of(), Map.of(), Awaited.NONE, AskHold.NONE, NodeWait.NONE, 0);

  KeyState {
    sent = Map.copyOf(sent);
    nodes = Map.copyOf(nodes);
  }

  /** The same with other wishes. */
  KeyState withRequested(RequestedAsks now, long lastAskedMillis) {
    return new KeyState(now, sent, nodes, awaited, hold, nodeWait, lastAskedMillis);
  }

  /** The same with what has been found out about the names. */
  KeyState withNodes(Map<String, RankedNodes> found, Awaited more) {
    return new KeyState(requested, sent, found, more, hold, nodeWait, askedMillis);
  }

  /** The same after the scheduler has been told of hosts and racks. */
  KeyState withSent(Map<String, Integer> containers) {
    return new KeyState(requested, containers, nodes, awaited, hold, nodeWait, askedMillis);
  }

  /** The same, held and waited for in another way. */
  KeyState withWait(AskHold holding, NodeWait waited) {
    return new KeyState(requested, sent, nodes, awaited, holding, waited, askedMillis);
  }

  /** Whether there may be something to do although the ApplicationMaster asks nothing new. */
  boolean waits(ClusterView cluster) {
    return hold.active() || awaited.lookUps() || cluster.hasAny(awaited.hosts());
  }
}
