package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.RankedNodes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Containers to ask for on each node and each rack. YARN allocates on a node only while its rack is
 * asked for too, so each node's rack is included, with at least as many containers.
 *
 * @param placed how many containers have a node to run on
 */
record NodeCounts(Map<String, Integer> nodes, Map<String, Integer> racks, int placed) {

  /**
   * Distributes the containers of each name over its nodes. As in AMRMClient, a container that may
   * run on several nodes counts on each of them and once on each of their racks. The ask for any
   * node keeps the total right.
   *
   * @param max the upper limit of each count
   */
  static NodeCounts of(Map<String, Integer> files, Map<String, RankedNodes> nodes, int max) {
    Map<String, Integer> byNode = new LinkedHashMap<>();
    Map<String, Integer> byRack = new LinkedHashMap<>();
    int placed = 0;
    for (Map.Entry<String, Integer> file : files.entrySet()) {
      RankedNodes ranked = nodes.getOrDefault(file.getKey(), RankedNodes.NONE);
      int containers = Math.min(file.getValue(), max);
      if (ranked.isEmpty() || containers <= 0) {
        continue;
      }
      placed = boundedSum(max, placed, containers);
      Set<String> itsRacks = new LinkedHashSet<>();
      for (ClusterNode node : ranked.nodes()) {
        byNode.merge(node.name(), containers, (a, b) -> boundedSum(max, a, b));
        itsRacks.add(node.rack());
      }
      itsRacks.forEach(rack -> byRack.merge(rack, containers, (a, b) -> boundedSum(max, a, b)));
    }
    return new NodeCounts(byNode, byRack, placed);
  }

  private static int boundedSum(int max, int a, int b) {
    return (int) Math.min(max, (long) a + b);
  }
}
