package dev.weir.yarn;

import java.util.List;

/**
 * The nodes to ask for on behalf of one name, best first, and the bytes that the best one holds.
 */
record RankedNodes(List<ClusterNode> nodes, long bytes) {

  static final RankedNodes NONE = new RankedNodes(List.of(), 0);

  RankedNodes {
    nodes = List.copyOf(nodes);
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }
}
