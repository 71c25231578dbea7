package dev.weir.workflow.protocol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a cluster has for tasks that do not fit the workers of a run. Such a task gets a dedicated
 * worker, with what it needs.
 *
 * @param mostMemoryBytes the most memory that a task can get on a node, in bytes; 0 if unknown
 * @param amounts for each further resource type of YARN, its amount on each host that has it
 * @param memoryBytes the most memory that a task can get on each host with such types beside an
 *     ApplicationMaster, in bytes; a host that is missing has enough
 * @param largest the most cores and memory that YARN gives a task in one container
 * @param rooms the cores and memory that a task can get on each host with such types if nothing
 *     else runs there; a host that is missing has enough
 */
public record ClusterResources(
    long mostMemoryBytes,
    Map<String, Map<String, Long>> amounts,
    Map<String, Long> memoryBytes,
    ResourceNeeds largest,
    Map<String, ResourceNeeds> rooms) {

  /** A cluster without further resource types, whose nodes are not known. */
  public static final ClusterResources NONE = new ClusterResources(0, Map.of(), Map.of());

  /** Copies the maps. */
  public ClusterResources {
    Map<String, Map<String, Long>> copies = new HashMap<>();
    amounts.forEach((type, hosts) -> copies.put(type, Map.copyOf(hosts)));
    amounts = Map.copyOf(copies);
    memoryBytes = Map.copyOf(memoryBytes);
    rooms = Map.copyOf(rooms);
  }

  /** Resources of a cluster whose containers may have any number of cores and any memory. */
  public ClusterResources(
      long mostMemoryBytes, Map<String, Map<String, Long>> amounts, Map<String, Long> memoryBytes) {
    this(
        mostMemoryBytes,
        amounts,
        memoryBytes,
        new ResourceNeeds(Integer.MAX_VALUE, Long.MAX_VALUE),
        Map.of());
  }

  /**
   * Returns the most memory that a task may get after it was killed for memory.
   *
   * @return in bytes; 0 if unknown
   */
  public long mostMemoryBytes(ResourceNeeds needs) {
    return needs.resources().isEmpty()
        ? mostMemoryBytes
        : hosts(needs).stream()
            .mapToLong(host -> memoryBytes.getOrDefault(host, mostMemoryBytes))
            .max()
            .orElse(0);
  }

  /** Returns the hosts that have all further resources of a task, and room for it. */
  public List<String> hosts(ResourceNeeds needs) {
    return withResources(needs).stream().filter(host -> hasRoom(host, needs)).toList();
  }

  private boolean hasRoom(String host, ResourceNeeds needs) {
    ResourceNeeds room = rooms.get(host);
    return room == null
        || (needs.cores() <= room.cores() && needs.memoryBytes() <= room.memoryBytes());
  }

  private List<String> withResources(ResourceNeeds needs) {
    return needs.resources().keySet().stream()
        .flatMap(type -> amounts.getOrDefault(type, Map.of()).keySet().stream())
        .distinct()
        .filter(host -> has(host, needs))
        .sorted()
        .toList();
  }

  private boolean has(String host, ResourceNeeds needs) {
    return needs.resources().entrySet().stream()
        .allMatch(
            needed ->
                amounts.getOrDefault(needed.getKey(), Map.of()).getOrDefault(host, 0L)
                    >= needed.getValue());
  }

  /**
   * Returns why no node can run a task that needs further resources.
   *
   * @return the reason, with a remedy; empty if a node can
   */
  public Optional<String> refusal(ResourceNeeds needs) {
    for (String type : needs.resources().keySet()) {
      if (!amounts.containsKey(type)) {
        return Optional.of(
            "YARN has no resource type '"
                + type
                + "' here"
                + (amounts.isEmpty() ? "" : ", only " + new TreeSet<>(amounts.keySet()))
                + ": correct the name, or configure the type (yarn.resource-types in"
                + " resource-types.xml)");
      }
    }
    if (needs.cores() > largest.cores() || needs.memoryBytes() > largest.memoryBytes()) {
      // YARN would refuse the request, and with it the heartbeat of the ApplicationMaster.
      return Optional.of(
          "YARN gives a task at most "
              + largest.inWords()
              + ": ask for less, or raise yarn.scheduler.maximum-allocation-mb and -vcores");
    }
    if (needs.resources().isEmpty() || !hosts(needs).isEmpty()) {
      return Optional.empty();
    }
    List<String> hosts = withResources(needs);
    return Optional.of(
        !hosts.isEmpty()
            ? "of the nodes with these resources, "
                + hosts
                + ", none can give a task "
                + ResourceNeeds.inWords(needs.cores(), needs.memoryBytes())
                + ": ask for less, or add a node with more"
            : "no node has that; the most is "
                + new TreeSet<>(needs.resources().keySet()).stream().map(this::most).toList()
                + ": ask for less, or give a node more (yarn.nodemanager.resource-type.NAME, or"
                + " its device plugin)");
  }

  private String most(String type) {
    long most =
        amounts.getOrDefault(type, Map.of()).values().stream().max(Long::compare).orElse(0L);
    return most + " of " + type;
  }
}
