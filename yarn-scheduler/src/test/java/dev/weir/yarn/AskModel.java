package dev.weir.yarn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * An ApplicationMaster's table of asks as in YARN's protocol: absolute counts by key and name. A
 * heartbeat carries the changed ones.
 */
final class AskModel {

  /**
   * A request for one container.
   *
   * @param key encodes a priority and an allocation request id
   * @param names of hosts, racks and files where it may run; none for anywhere
   */
  record WantedContainer(int key, List<String> names) {
    WantedContainer {
      names = List.copyOf(names);
    }
  }

  private record Name(int key, String name) {}

  private final List<WantedContainer> open = new ArrayList<>();
  private final Map<Name, Integer> table = new HashMap<>();
  private final Set<Name> changed = new HashSet<>();
  private final Map<String, Container> running = new HashMap<>();
  private int asked;
  private int given;

  void ask(WantedContainer wanted) {
    open.add(wanted);
    asked++;
    count(wanted, 1);
  }

  void withdraw(WantedContainer wanted) {
    if (open.remove(wanted)) {
      asked--;
      count(wanted, -1);
    }
  }

  /** Records a container, which must have been requested. */
  void take(Container container) {
    int key = key(container.getPriority(), container.getAllocationRequestId());
    String host = container.getNodeId().getHost();
    List<WantedContainer> requested = open.stream().filter(wanted -> wanted.key() == key).toList();
    WantedContainer satisfied =
        requested.stream()
            .filter(wanted -> wanted.names().contains(host))
            .findFirst()
            .or(() -> requested.stream().findFirst())
            .orElseThrow(() -> new AssertionError("no ask for " + container + " of key " + key));
    open.remove(satisfied);
    count(satisfied, -1);
    given++;
    running.put(container.getId().toString(), container);
  }

  void ended(Container container) {
    running.remove(container.getId().toString());
  }

  /** The asks that have changed since the last call. */
  List<ResourceRequest> changes() {
    List<ResourceRequest> asks = changed.stream().map(this::ask).toList();
    changed.clear();
    return asks;
  }

  /** The whole table, as sent to a restarted ResourceManager. */
  List<ResourceRequest> all() {
    changed.clear();
    return table.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(entry -> ask(entry.getKey()))
        .toList();
  }

  List<WantedContainer> open() {
    return List.copyOf(open);
  }

  List<Container> running() {
    return List.copyOf(running.values());
  }

  int asked() {
    return asked;
  }

  int given() {
    return given;
  }

  private void count(WantedContainer wanted, int difference) {
    List<String> names = new ArrayList<>(wanted.names());
    names.add(ResourceRequest.ANY);
    for (String each : names) {
      Name name = new Name(wanted.key(), each);
      table.merge(name, difference, Integer::sum);
      changed.add(name);
    }
  }

  private ResourceRequest ask(Name name) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(name.key() / 2))
        .allocationRequestId(name.key() % 2)
        .resourceName(name.name())
        .capability(Resource.newInstance(TestResourceManager.CONTAINER_MB, 1))
        .numContainers(table.getOrDefault(name, 0))
        .build();
  }

  private static int key(Priority priority, long allocationRequestId) {
    return priority.getPriority() * 2 + (int) allocationRequestId;
  }
}
