package dev.weir.yarn;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The cluster at one moment: the running NodeManagers by host, and how long a free node may take to
 * come to the scheduler's notice.
 */
record ClusterView(
    Map<String, List<ClusterNode>> nodesByHost, Set<String> racks, long noticeMillis) {

  ClusterView {
    nodesByHost = Map.copyOf(nodesByHost);
    racks = Set.copyOf(racks);
  }

  /** A view of nodes by lower-case host name; the racks are those of the nodes. */
  static ClusterView of(Map<String, List<ClusterNode>> nodesByHost, long noticeMillis) {
    Set<String> racks =
        nodesByHost.values().stream()
            .flatMap(List::stream)
            .map(ClusterNode::rack)
            .collect(Collectors.toUnmodifiableSet());
    return new ClusterView(nodesByHost, racks, noticeMillis);
  }

  /** The NodeManagers on a host, none if none runs there. Host names are compared without case. */
  List<ClusterNode> nodesOn(String host) {
    return nodesByHost.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
  }
}
