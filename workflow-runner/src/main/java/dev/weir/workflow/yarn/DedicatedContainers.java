package dev.weir.workflow.yarn;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.jspecify.annotations.Nullable;

/**
 * The containers of dedicated workers, each of which has what tasks of one kind need: open requests
 * and held containers. Not thread-safe.
 *
 * <p>Requests for further types of resources name the hosts that have them. Otherwise YARN offers
 * such a request every node, and gives the application no other container on nodes that cannot
 * serve it.
 */
final class DedicatedContainers {

  /** Identifies dedicated containers of an earlier ApplicationMaster. */
  private static final Priority PRIORITY = Priority.newInstance(2);

  /** Ordinary workers have smaller ids. */
  private static final long FIRST_ID = 1L << 40;

  private static final int MEBI_BITS = 20;

  private final ContainerPool.Dedicated spec;
  private final Map<Long, Open> requests = new HashMap<>();
  private final Map<ContainerId, ResourceNeeds> held = new HashMap<>();
  private Containers yarn;
  private long lastId = FIRST_ID;

  private record Open(ResourceNeeds needs, ContainerRequest request) {}

  @SuppressWarnings("NullAway.Init") // YARN's client exists only after its call-back handler
  DedicatedContainers(ContainerPool.Dedicated spec) {
    this.spec = spec;
  }

  /** Sets the interface to YARN; call it before all other methods. */
  void open(Containers containers) {
    yarn = containers;
  }

  /** The number of held containers. */
  int size() {
    return held.size();
  }

  /** Returns what a container is dedicated to; null if it is that of an ordinary worker. */
  @Nullable ResourceNeeds of(ContainerId container) {
    return held.get(container);
  }

  /** A container has ended, or was released; returns whether it was a dedicated one. */
  boolean remove(ContainerId container) {
    return held.remove(container) != null;
  }

  /** Requests the missing containers, and withdraws requests that are not needed any more. */
  void want(Map<ResourceNeeds, Integer> wanted) {
    Map<ResourceNeeds, Integer> missing = new HashMap<>(wanted);
    held.values().forEach(needs -> missing.merge(needs, -1, Integer::sum));
    for (Iterator<Open> open = requests.values().iterator(); open.hasNext(); ) {
      Open next = open.next();
      if (missing.merge(next.needs(), -1, Integer::sum) < 0) {
        yarn.withdraw(next.request());
        open.remove();
      }
    }
    missing.forEach(
        (needs, number) -> {
          for (int i = 0; i < number; i++) {
            add(needs);
          }
        });
  }

  private void add(ResourceNeeds needs) {
    lastId++;
    List<String> hosts = spec.cluster().hosts(needs);
    ContainerRequest request =
        ContainerRequest.newBuilder()
            .capability(resource(needs))
            .priority(PRIORITY)
            .allocationRequestId(lastId)
            .nodes(hosts.isEmpty() ? null : hosts.toArray(String[]::new))
            .relaxLocality(hosts.isEmpty())
            .build();
    requests.put(lastId, new Open(needs, request));
    yarn.ask(request);
  }

  private Resource resource(ResourceNeeds needs) {
    Resource resource = Resource.newInstance(spec.megabytes().applyAsInt(needs), needs.cores());
    needs.resources().forEach(resource::setResourceValue);
    return resource;
  }

  /** Takes a container that YARN has given; returns whether it answers one of these requests. */
  boolean answer(Container given) {
    Open answered = requests.remove(given.getAllocationRequestId());
    if (answered == null) {
      return false;
    }
    yarn.withdraw(answered.request());
    held.put(given.getId(), answered.needs());
    return true;
  }

  /** Takes a container of an earlier ApplicationMaster over; returns whether it was dedicated. */
  boolean keep(Container container) {
    if (!PRIORITY.equals(container.getPriority())) {
      return false;
    }
    Resource had = container.getResource();
    Map<String, Long> amounts = new HashMap<>();
    for (ResourceInformation type : had.getResources()) {
      boolean isFurther =
          !type.getName().equals(ResourceInformation.MEMORY_URI)
              && !type.getName().equals(ResourceInformation.VCORES_URI);
      if (isFurther && type.getValue() > 0) {
        amounts.put(type.getName(), type.getValue());
      }
    }
    held.put(
        container.getId(),
        new ResourceNeeds(
            Math.max(1, had.getVirtualCores()),
            Math.max(0, had.getMemorySize() - spec.ownMegabytes()) << MEBI_BITS,
            amounts));
    return true;
  }

  /** Withdraws all requests. */
  void withdraw() {
    requests.values().forEach(open -> yarn.withdraw(open.request()));
    requests.clear();
  }
}
