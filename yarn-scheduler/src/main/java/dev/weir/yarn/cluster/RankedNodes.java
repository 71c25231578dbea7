package dev.weir.yarn.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes to ask for on behalf of one name, best first.
 *
 * @param bytesByChance the bytes that a random node would hold
 */
public record RankedNodes(
    List<ClusterNode> nodes, long bytes, Map<String, Long> bytesByNode, long bytesByChance) {

  public static final RankedNodes NONE = new RankedNodes(List.of(), 0);

  public RankedNodes {
    nodes = List.copyOf(nodes);
    bytesByNode = Map.copyOf(bytesByNode);
  }

  /** Creates nodes that hold equally many bytes. */
  public RankedNodes(List<ClusterNode> nodes, long bytes) {
    this(nodes, bytes, each(nodes, bytes), 0);
  }

  private static Map<String, Long> each(List<ClusterNode> nodes, long bytes) {
    Map<String, Long> all = new HashMap<>();
    nodes.forEach(node -> all.put(node.name(), bytes));
    return all;
  }

  public boolean isEmpty() {
    return nodes.isEmpty();
  }
}
