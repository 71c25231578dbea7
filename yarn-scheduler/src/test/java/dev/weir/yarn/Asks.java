package dev.weir.yarn;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** Asks as an ApplicationMaster sends them. */
public final class Asks {

  private Asks() {}

  public static ResourceRequest ask(String name, int containers) {
    return ask(1, name, containers);
  }

  public static ResourceRequest ask(int priority, String name, int containers) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(priority))
        .resourceName(name)
        .capability(Resource.newInstance(TestResourceManager.CONTAINER_MB, 1))
        .numContainers(containers)
        .build();
  }

  /** The asks that AMRMClient sends for containers that name files. */
  public static List<ResourceRequest> named(String name, int containers) {
    return List.of(ask(name, containers), ask("/default-rack", containers), ask("*", containers));
  }

  /** The asks of one priority. */
  static List<ResourceRequest> on(int priority, List<ResourceRequest> asks) {
    return asks.stream().filter(ask -> ask.getPriority().getPriority() == priority).toList();
  }

  /** Containers by resource name. */
  public static Map<String, Integer> counts(List<ResourceRequest> asks) {
    Map<String, Integer> counts = new TreeMap<>();
    asks.forEach(ask -> counts.put(ask.getResourceName(), ask.getNumContainers()));
    return counts;
  }
}
