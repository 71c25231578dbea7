package dev.weir.yarn.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A snapshot of the cluster.
 *
 * @param nodesByHost the running NodeManagers by lower-case host name
 * @param loads the allocated share of each node in tenths, by node name
 * @param partitions the nodes that are not in the default partition
 * @param noticeMillis how long it may take until the scheduler notices a free node
 * @param registering whether a ResourceManager that has just started still waits for NodeManagers
 *     to register; it allocates no containers meanwhile
 */
public record ClusterView(
    Map<String, List<ClusterNode>> nodesByHost,
    Set<String> racks,
    Map<String, Integer> loads,
    Partitions partitions,
    long noticeMillis,
    boolean registering) {

  /**
   * The partitions of nodes, by label.
   *
   * @param ofNodes labels by node name, without nodes that have none
   * @param shared labels of non-exclusive partitions, whose idle nodes also accept other containers
   */
  record Partitions(Map<String, String> ofNodes, Set<String> shared) {

    static final Partitions NONE = new Partitions(Map.of(), Set.of());

    Partitions {
      ofNodes = Map.copyOf(ofNodes);
      shared = Set.copyOf(shared);
    }

    /** Whether containers asked for in a partition may run on a node. */
    boolean admits(String node, String asked) {
      String label = ofNodes.getOrDefault(node, "");
      return label.equals(asked) || (asked.isEmpty() && shared.contains(label));
    }
  }

  public ClusterView {
    nodesByHost = Map.copyOf(nodesByHost);
    racks = Set.copyOf(racks);
    loads = Map.copyOf(loads);
  }

  /** Creates a view of nodes by lower-case host name, with the racks of these nodes. */
  static ClusterView of(
      Map<String, List<ClusterNode>> nodesByHost, Map<String, Integer> loads, long noticeMillis) {
    Set<String> racks =
        nodesByHost.values().stream()
            .flatMap(List::stream)
            .map(ClusterNode::rack)
            .collect(Collectors.toUnmodifiableSet());
    return new ClusterView(nodesByHost, racks, loads, Partitions.NONE, noticeMillis, false);
  }

  ClusterView with(Partitions apart) {
    return new ClusterView(nodesByHost, racks, loads, apart, noticeMillis, registering);
  }

  /** A copy that says whether NodeManagers are still registering. */
  public ClusterView whileRegistering(boolean still) {
    return new ClusterView(nodesByHost, racks, loads, partitions, noticeMillis, still);
  }

  /** Whether the cluster may have a rack, as far as is known while nodes register. */
  public boolean mayHaveRack(String rack) {
    return registering || racks.contains(rack);
  }

  /** Whether a NodeManager runs on one of the hosts. */
  public boolean hasAny(Collection<String> hosts) {
    return hosts.stream().anyMatch(host -> !nodesOn(host).isEmpty());
  }

  /** The NodeManagers on a host, empty if there are none. Host names are case-insensitive. */
  List<ClusterNode> nodesOn(String host) {
    return nodesByHost.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
  }

  int load(ClusterNode node) {
    return loads.getOrDefault(node.name(), 0);
  }

  /** The number of hosts with NodeManagers. */
  int size() {
    return nodesByHost.size();
  }
}
