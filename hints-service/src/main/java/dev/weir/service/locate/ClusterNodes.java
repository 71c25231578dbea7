package dev.weir.service.locate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes of a cluster.
 *
 * @param live those that the NameNode hears of, whatever their state
 * @param dead those that it does not hear of any more
 * @param unknown why they are not known; null when they are
 */
public record ClusterNodes(List<DataNode> live, List<DataNode> dead, @Nullable String unknown) {
  /** Copies the lists. */
  public ClusterNodes {
    live = List.copyOf(live);
    dead = List.copyOf(dead);
  }

  /** Known ones. */
  static ClusterNodes of(List<DataNode> live, List<DataNode> dead) {
    return new ClusterNodes(live, dead, null);
  }

  /** None, for a reason. */
  static ClusterNodes unknown(String why) {
    return new ClusterNodes(List.of(), List.of(), why);
  }

  /** Whether they are known. */
  boolean isKnown() {
    return unknown == null;
  }

  /** What people call a DataNode: its host, with the port where a host has several. */
  String name(String host, int port) {
    Map<Integer, Integer> ports = new HashMap<>();
    live.stream()
        .filter(node -> node.host().equals(host))
        .forEach(node -> ports.merge(node.port(), 1, Integer::sum));
    return ports.size() > 1 ? host + ":" + port : host;
  }

  String name(DataNode node) {
    return name(node.host(), node.port());
  }
}
