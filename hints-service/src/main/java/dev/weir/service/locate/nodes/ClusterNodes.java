package dev.weir.service.locate.nodes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes of a cluster.
 *
 * @param live the DataNodes that send heartbeats, in any state
 * @param dead the DataNodes that no longer send heartbeats
 * @param unknown why the DataNodes are not known; null if they are
 */
public record ClusterNodes(List<DataNode> live, List<DataNode> dead, @Nullable String unknown) {
  public ClusterNodes {
    live = List.copyOf(live);
    dead = List.copyOf(dead);
  }

  public static ClusterNodes of(List<DataNode> live, List<DataNode> dead) {
    return new ClusterNodes(live, dead, null);
  }

  static ClusterNodes unknown(String why) {
    return new ClusterNodes(List.of(), List.of(), why);
  }

  public boolean isKnown() {
    return unknown == null;
  }

  /** Returns the display name of a DataNode: its host, with the port if the host has several. */
  public String name(String host, int port) {
    Map<Integer, Integer> ports = new HashMap<>();
    live.stream()
        .filter(node -> node.host().equals(host))
        .forEach(node -> ports.merge(node.port(), 1, Integer::sum));
    return ports.size() > 1 ? host + ":" + port : host;
  }

  public String name(DataNode node) {
    return name(node.host(), node.port());
  }
}
