package dev.weir.yarn;

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
 */
record ClusterView(
    Map<String, List<ClusterNode>> nodesByHost,
    Set<String> racks,
    Map<String, Integer> loads,
    long noticeMillis) {

  ClusterView {
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
    return new ClusterView(nodesByHost, racks, loads, noticeMillis);
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
