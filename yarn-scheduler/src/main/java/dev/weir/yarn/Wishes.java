package dev.weir.yarn;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What an ApplicationMaster wants on one key, by the names that it used itself. Immutable; the asks
 * inside are copies that nobody else sees, and those for no containers are not kept.
 */
final class Wishes {

  static final Wishes NONE = new Wishes(Map.of());

  private final Map<String, ResourceRequest> asks;

  private Wishes(Map<String, ResourceRequest> asks) {
    this.asks = Collections.unmodifiableMap(asks);
  }

  /**
   * These wishes with some of them replaced; asks are absolute, and of two the later one counts.
   */
  Wishes with(Collection<ResourceRequest> changes) {
    LinkedHashMap<String, ResourceRequest> changed = new LinkedHashMap<>(asks);
    for (ResourceRequest change : changes) {
      if (change.getNumContainers() > 0) {
        changed.put(change.getResourceName(), ResourceRequest.clone(change));
      } else {
        changed.remove(change.getResourceName());
      }
    }
    return new Wishes(changed);
  }

  boolean name(String resourceName) {
    return asks.containsKey(resourceName);
  }

  /** About the memory that these take, in characters. */
  long weight() {
    return asks.keySet().stream().mapToLong(Wishes::weight).sum();
  }

  static long weight(String name) {
    return name.length() + 200L;
  }

  /** The ask that says how many containers there are to be in all, if it has been seen. */
  @Nullable ResourceRequest any() {
    return asks.get(ResourceRequest.ANY);
  }

  /** Containers by name of files. */
  Map<String, Integer> files() {
    Map<String, Integer> files = new LinkedHashMap<>();
    asks.forEach(
        (name, ask) -> {
          if (WeirName.is(name)) {
            files.put(name, ask.getNumContainers());
          }
        });
    return files;
  }

  /** The asks for hosts and racks. */
  List<ResourceRequest> places() {
    return asks.values().stream()
        .filter(ask -> !WeirName.is(ask.getResourceName()))
        .filter(ask -> !ResourceRequest.isAnyLocation(ask.getResourceName()))
        .toList();
  }

  /**
   * Whether the ApplicationMaster chose a place itself: a host, or a rack of the cluster. The
   * default rack does not count, for AMRMClient adds it to every name that it cannot resolve; nor
   * does a rack without nodes, which a topology script may give such a name.
   */
  boolean choosePlaces(ClusterView cluster) {
    return places().stream()
        .map(ResourceRequest::getResourceName)
        .anyMatch(name -> !name.startsWith("/") || isChosenRack(name, cluster));
  }

  private static boolean isChosenRack(String name, ClusterView cluster) {
    return !name.equals(NetworkTopology.DEFAULT_RACK) && cluster.racks().contains(name);
  }

  /** An ask to take priority, capability and execution type from. */
  @Nullable ResourceRequest template() {
    ResourceRequest any = any();
    return any != null ? any : asks.values().stream().findFirst().orElse(null);
  }
}
