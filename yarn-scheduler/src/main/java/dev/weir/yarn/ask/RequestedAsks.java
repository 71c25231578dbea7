package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.NodeRanking;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.lookup.LocationCache;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What an ApplicationMaster asks for on one key, by its own resource names. Immutable; contains
 * private copies of the asks, without those for no containers.
 */
final class RequestedAsks {

  static final RequestedAsks NONE = new RequestedAsks(Map.of());

  private static final long ASK_WEIGHT = 200;

  private final Map<String, ResourceRequest> asks;
  private final long weight;

  private RequestedAsks(Map<String, ResourceRequest> asks) {
    this.asks = Collections.unmodifiableMap(asks);
    this.weight =
        asks.values().stream()
            .mapToLong(ask -> weight(ask.getResourceName(), ask.getNumContainers()))
            .sum();
  }

  /** A copy with some asks replaced. Asks are absolute; the later of two for one name applies. */
  RequestedAsks with(Collection<ResourceRequest> changes) {
    LinkedHashMap<String, ResourceRequest> changed = new LinkedHashMap<>(asks);
    for (ResourceRequest change : changes) {
      if (change.getNumContainers() > 0) {
        changed.put(change.getResourceName(), ResourceRequest.clone(change));
      } else {
        changed.remove(change.getResourceName());
      }
    }
    return new RequestedAsks(changed);
  }

  boolean name(String resourceName) {
    return asks.containsKey(resourceName);
  }

  /** The approximate memory of these asks and of the asks derived from them, in characters. */
  long weight() {
    return weight;
  }

  int containers(String resourceName) {
    ResourceRequest ask = asks.get(resourceName);
    return ask == null ? 0 : ask.getNumContainers();
  }

  /**
   * The weight of a name, including the nodes that it may become: the scheduler keeps an ask for
   * each. The default number of nodes is free. The name must be valid.
   */
  static long weight(String name, int containers) {
    if (!FilesResourceName.is(name)) {
      return weight(name);
    }
    int requestedNodes = FilesResourceName.maxNodesOf(name);
    int nodes =
        Math.min(
            LocationCache.MAX_HOSTS,
            requestedNodes > 0 ? requestedNodes : NodeRanking.defaultNodes(containers));
    return weight(name) + ASK_WEIGHT * Math.max(0, nodes - NodeRanking.DEFAULT_NODES);
  }

  static long weight(String name) {
    return name.length() + ASK_WEIGHT;
  }

  /** The ask that gives the total number of containers; null if it has not been seen. */
  @Nullable ResourceRequest any() {
    return asks.get(ResourceRequest.ANY);
  }

  Map<String, Integer> files() {
    Map<String, Integer> files = new LinkedHashMap<>();
    asks.forEach(
        (name, ask) -> {
          if (FilesResourceName.is(name)) {
            files.put(name, ask.getNumContainers());
          }
        });
    return files;
  }

  List<ResourceRequest> places() {
    return asks.values().stream()
        .filter(ask -> !FilesResourceName.is(ask.getResourceName()))
        .filter(ask -> !ResourceRequest.isAnyLocation(ask.getResourceName()))
        .toList();
  }

  /**
   * Whether the ApplicationMaster chose a place itself: a host, or a rack of the cluster. The
   * default rack does not count, because AMRMClient adds it to every name that it cannot resolve.
   * Nor does a rack without nodes, which a topology script may return for such a name.
   */
  boolean choosePlaces(ClusterView cluster) {
    return places().stream()
        .map(ResourceRequest::getResourceName)
        .anyMatch(name -> !name.startsWith("/") || isChosenRack(name, cluster));
  }

  private static boolean isChosenRack(String name, ClusterView cluster) {
    return !name.equals(NetworkTopology.DEFAULT_RACK) && cluster.mayHaveRack(name);
  }

  /** An ask from which to copy priority, capability and execution type; null if there is none. */
  @Nullable ResourceRequest template() {
    ResourceRequest any = any();
    return any != null ? any : asks.values().stream().findFirst().orElse(null);
  }
}
