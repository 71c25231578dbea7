package dev.weir.yarn.cluster;

import java.util.List;
import java.util.Map;

/**
 * The nodes to ask for on behalf of one name, best first.
 *
 * @param bytesByChance the bytes that a random node would hold
 */
public record RankedNodes(
    List<ClusterNode> nodes, long bytes, Map<String, Long> bytesByNode, long bytesByChance) {

  public static final RankedNodes NONE = new RankedNodes(List.of(), 0, Map.of(), 0);

  public RankedNodes {
    nodes = List.copyOf(nodes);
    bytesByNode = Map.copyOf(bytesByNode);
  }

  public boolean isEmpty() {
    return nodes.isEmpty();
  }
}
