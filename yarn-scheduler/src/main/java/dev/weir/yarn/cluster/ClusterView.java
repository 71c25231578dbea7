package dev.weir.yarn.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The cluster at one moment: the running NodeManagers by host, and how long a free node may take to
 * come to the scheduler's notice.
 *
 * @param loads how much of a node is given away, in tenths, by its name
 * @param partitions those of the nodes that are not in the default one
 * @param registering whether NodeManagers are still to register with a ResourceManager that has
 *     just begun, which gives no containers meanwhile
 */
public record ClusterView(
    Map<String, List<ClusterNode>> nodesByHost,
    Set<String> racks,
    Map<String, Integer> loads,
    Partitions partitions,
    long noticeMillis,
    boolean registering) {

  /**
   * Which nodes are set apart by a label.
   *
   * @param ofNodes the label by the node's name; none for nodes that have none
   * @param shared labels whose nodes take others' containers too when they have nothing to do
   */
  record Partitions(Map<String, String> ofNodes, Set<String> shared) {

    static final Partitions NONE = new Partitions(Map.of(), Set.of());

    Partitions {
      ofNodes = Map.copyOf(ofNodes);
      shared = Set.copyOf(shared);
    }

    /** Whether containers that are asked for in a partition may come to a node. */
    boolean admits(String node, String asked) {
      String its = ofNodes.getOrDefault(node, "");
      return its.equals(asked) || (asked.isEmpty() && shared.contains(its));
    }
  }

  public ClusterView {
    nodesByHost = Map.copyOf(nodesByHost);
    racks = Set.copyOf(racks);
    loads = Map.copyOf(loads);
  }

  /** A view of nodes by lower-case host name; the racks are those of the nodes. */
  static ClusterView of(Map<String, List<ClusterNode>> nodesByHost, long noticeMillis) {
    return of(nodesByHost, Map.of(), noticeMillis);
  }

  /** A view of nodes with what they have to do. */
  static ClusterView of(
      Map<String, List<ClusterNode>> nodesByHost, Map<String, Integer> loads, long noticeMillis) {
    Set<String> racks =
        nodesByHost.values().stream()
            .flatMap(List::stream)
            .map(ClusterNode::rack)
            .collect(Collectors.toUnmodifiableSet());
    return new ClusterView(nodesByHost, racks, loads, Partitions.NONE, noticeMillis, false);
  }

  /** The same with nodes that are set apart. */
  ClusterView with(Partitions apart) {
    return new ClusterView(nodesByHost, racks, loads, apart, noticeMillis, registering);
  }

  /** The same of a time in which NodeManagers are still to register, or of one in which not. */
  public ClusterView whileRegistering(boolean still) {
    return new ClusterView(nodesByHost, racks, loads, partitions, noticeMillis, still);
  }

  /** Whether a rack is one of the cluster, as far as can be told yet. */
  public boolean mayHaveRack(String rack) {
    return registering || racks.contains(rack);
  }

  /** Whether a NodeManager runs on one of the hosts. */
  public boolean hasAny(Collection<String> hosts) {
    return hosts.stream().anyMatch(host -> !nodesOn(host).isEmpty());
  }

  /** The NodeManagers on a host, none if none runs there. Host names are compared without case. */
  List<ClusterNode> nodesOn(String host) {
    return nodesByHost.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
  }

  int load(ClusterNode node) {
    return loads.getOrDefault(node.name(), 0);
  }

  /** About how many NodeManagers there are. */
  int size() {
    return nodesByHost.size();
  }
}
