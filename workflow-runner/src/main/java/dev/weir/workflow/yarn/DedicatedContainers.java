package dev.weir.workflow.yarn;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
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

  /** Identifies containers of gangs, which are not taken over. */
  private static final Priority GANG_PRIORITY = Priority.newInstance(3);

  /** How long a part of a gang may keep its containers from others, in milliseconds. */
  private static final long ASSEMBLY_MILLIS = 60_000;

  /** Ordinary workers have smaller ids. */
  private static final long FIRST_ID = 1L << 40;

  private static final int MEBI_BITS = 20;

  private final ContainerPool.Dedicated spec;
  private final Map<Long, Open> requests = new HashMap<>();
  private final Map<ContainerId, ResourceNeeds> held = new HashMap<>();

  /** For each further container of a gang, the first one, whose worker runs the commands. */
  private final Map<ContainerId, ContainerId> members = new LinkedHashMap<>();

  /** The containers of the next gang as far as YARN has given them; none of them is started. */
  private final List<Container> assembled = new ArrayList<>();

  /** Gangs that did not get all containers in time; others are tried before them. */
  private final Set<ResourceNeeds> late = new HashSet<>();

  /** What the containers of the next gang need; null if none is requested. */
  private @Nullable ResourceNeeds assembling;

  /** When the next gang is late, if YARN has not given all of its containers by then. */
  private long assembledUntil;

  /** When the next gang is requested, at the earliest. */
  private long nextAssembly;

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

  /** The number of started containers. */
  int size() {
    return held.size() + members.size();
  }

  /** Returns the first container of the gang of a container; null if it is none of the further. */
  @Nullable ContainerId first(ContainerId container) {
    return members.get(container);
  }

  /** Returns all containers of the gang of a first container; only that one if it has no gang. */
  List<ContainerId> gang(ContainerId first) {
    List<ContainerId> gang = new ArrayList<>(List.of(first));
    members.forEach(
        (member, itsFirst) -> {
          if (itsFirst.equals(first)) {
            gang.add(member);
          }
        });
    return gang;
  }

  /** Returns what a container is dedicated to; null if it is that of an ordinary worker. */
  @Nullable ResourceNeeds of(ContainerId container) {
    return held.get(container);
  }

  /** A container has ended, or was released; returns whether it was a dedicated one. */
  boolean remove(ContainerId container) {
    boolean isMember = members.remove(container) != null;
    return held.remove(container) != null || isMember;
  }

  /** A container that was not started has ended. */
  void endedUnstarted(ContainerId container) {
    ResourceNeeds needs = assembling;
    if (assembled.removeIf(given -> given.getId().equals(container)) && needs != null) {
      add(needs);
    }
  }

  /**
   * Requests the missing containers, and withdraws requests that are not needed any more. Those of
   * gangs are requested for one gang at a time.
   */
  void want(Map<ResourceNeeds, Integer> wanted, long now) {
    Map<ResourceNeeds, Integer> missing = new LinkedHashMap<>(wanted);
    held.values().forEach(needs -> missing.merge(needs, -1, Integer::sum));
    assemble(missing, now);
    missing.keySet().removeIf(needs -> needs.members() > 0);
    ResourceNeeds gang = assembling;
    if (gang != null) {
      missing.put(gang, gang.members() + 1 - assembled.size());
    }
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

  /**
   * Chooses the next gang. If it does not get all of its containers for some time, they are
   * released, because another application may have the other ones for a gang of its own, and
   * another gang is tried.
   */
  private void assemble(Map<ResourceNeeds, Integer> missing, long now) {
    ResourceNeeds current = assembling;
    boolean isWanted = current != null && missing.getOrDefault(current, 0) > 0;
    List<ResourceNeeds> gangs =
        missing.entrySet().stream()
            .filter(entry -> entry.getKey().members() > 0 && entry.getValue() > 0)
            .map(Map.Entry::getKey)
            .toList();
    boolean isLate =
        current != null
            && now >= assembledUntil
            && (!assembled.isEmpty() || gangs.stream().anyMatch(gang -> !gang.equals(current)));
    if (isLate) {
      late.add(requireNonNull(current));
    }
    if (isLate && !assembled.isEmpty()) {
      // Applications that wait for each other do not ask again at the same time.
      nextAssembly = now + pauseMillis(assembled.get(0).getId());
    }
    if (!isWanted || isLate) {
      assembled.forEach(container -> yarn.release(container.getId()));
      assembled.clear();
      assembling = null;
    }
    if (assembling == null && now >= nextAssembly && !gangs.isEmpty()) {
      if (late.containsAll(gangs)) {
        late.clear();
      }
      assembling = gangs.stream().filter(gang -> !late.contains(gang)).findFirst().orElseThrow();
      assembledUntil = now + ASSEMBLY_MILLIS;
    }
  }

  /** Returns a pause that differs between applications, and from one time to the next. */
  private static long pauseMillis(ContainerId container) {
    long application = container.getApplicationAttemptId().getApplicationId().getId();
    return new SplittableRandom(application << Integer.SIZE | container.getContainerId())
        .nextLong(ASSEMBLY_MILLIS / 5, ASSEMBLY_MILLIS);
  }

  private void add(ResourceNeeds needs) {
    lastId++;
    List<String> hosts = spec.cluster().hosts(needs);
    ContainerRequest request =
        ContainerRequest.newBuilder()
            .capability(resource(needs))
            .priority(needs.members() > 0 ? GANG_PRIORITY : PRIORITY)
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

  /**
   * Takes a container that YARN has given.
   *
   * @return the containers to start now, none while a gang is not complete; empty if the container
   *     answers none of these requests
   */
  Optional<List<Container>> answer(Container given, long now) {
    Open answered = requests.remove(given.getAllocationRequestId());
    if (answered == null) {
      return Optional.empty();
    }
    yarn.withdraw(answered.request());
    if (answered.needs().members() == 0) {
      held.put(given.getId(), answered.needs());
      return Optional.of(List.of(given));
    }
    if (assembled.isEmpty()) {
      assembledUntil = now + ASSEMBLY_MILLIS;
    }
    assembled.add(given);
    if (assembled.size() <= answered.needs().members()) {
      return Optional.of(List.of());
    }
    List<Container> all = List.copyOf(assembled);
    ContainerId first = all.get(0).getId();
    held.put(first, answered.needs());
    all.stream().skip(1).forEach(container -> members.put(container.getId(), first));
    assembled.clear();
    assembling = null;
    return Optional.of(all);
  }

  /**
   * Whether a container of an earlier ApplicationMaster is of a gang, which is not known any more.
   */
  static boolean isOfGang(Container container) {
    return GANG_PRIORITY.equals(container.getPriority());
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
    assembled.forEach(container -> yarn.release(container.getId()));
    assembled.clear();
    assembling = null;
  }
}
