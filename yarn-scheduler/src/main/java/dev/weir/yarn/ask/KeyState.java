package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.wait.NodeWait;
import java.util.Map;
import java.util.Set;

/**
 * The state of one key on which files were named.
 *
 * @param sent containers by host and rack as last sent to the scheduler; Weir has to withdraw them
 * @param nodes the nodes of each located name
 * @param awaited what may still bring nodes for names that were sent without
 * @param nodeWait how long other nodes wait
 * @param askedMillis when containers were last added, to measure how long they took
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
   * What may bring more nodes without a new ask of the ApplicationMaster.
   *
   * @param lookUps whether files are being looked up
   * @param hosts hosts of files without a NodeManager
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

  /** A copy with other requested asks. */
  KeyState withRequested(RequestedAsks now, long lastAskedMillis) {
    return new KeyState(now, sent, nodes, awaited, hold, nodeWait, lastAskedMillis);
  }

  /** A copy with the results of lookups. */
  KeyState withNodes(Map<String, RankedNodes> found, Awaited more) {
    return new KeyState(requested, sent, found, more, hold, nodeWait, askedMillis);
  }

  /** A copy with the hosts and racks that the scheduler has received. */
  KeyState withSent(Map<String, Integer> containers) {
    return new KeyState(requested, containers, nodes, awaited, hold, nodeWait, askedMillis);
  }

  /** A copy with another hold and wait. */
  KeyState withWait(AskHold holding, NodeWait waited) {
    return new KeyState(requested, sent, nodes, awaited, holding, waited, askedMillis);
  }

  /** Whether the key may need a step although the ApplicationMaster asks nothing. */
  boolean needsStep(ClusterView cluster) {
    return hold.active() || awaited.lookUps() || cluster.hasAny(awaited.hosts());
  }
}
