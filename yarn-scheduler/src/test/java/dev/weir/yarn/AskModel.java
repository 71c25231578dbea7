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
 * An ApplicationMaster that keeps a table of what it wants, as the protocol has it: absolute counts
 * by key and name, of which a heartbeat carries those that have changed.
 */
final class AskModel {

  /**
   * One container.
   *
   * @param key stands for a priority and an allocation request id
   * @param names of hosts, racks and files where it may be; none for anywhere
   */
  record Wish(int key, List<String> names) {
    Wish {
      names = List.copyOf(names);
    }
  }

  private record Name(int key, String name) {}

  private final List<Wish> open = new ArrayList<>();
  private final Map<Name, Integer> table = new HashMap<>();
  private final Set<Name> changed = new HashSet<>();
  private final Map<String, Container> running = new HashMap<>();
  private int asked;
  private int given;

  void ask(Wish wish) {
    open.add(wish);
    asked++;
    count(wish, 1);
  }

  void withdraw(Wish wish) {
    if (open.remove(wish)) {
      asked--;
      count(wish, -1);
    }
  }

  /** Takes note of a container, which must have been wanted. */
  void take(Container container) {
    int key = key(container.getPriority(), container.getAllocationRequestId());
    String host = container.getNodeId().getHost();
    List<Wish> requested = open.stream().filter(wish -> wish.key() == key).toList();
    Wish fulfilled =
        requested.stream()
            .filter(wish -> wish.names().contains(host))
            .findFirst()
            .or(() -> requested.stream().findFirst())
            .orElseThrow(() -> new AssertionError("no ask for " + container + " of key " + key));
    open.remove(fulfilled);
    count(fulfilled, -1);
    given++;
    running.put(container.getId().toString(), container);
  }

  void ended(Container container) {
    running.remove(container.getId().toString());
  }

  /** What has changed since it was last called. */
  List<ResourceRequest> changes() {
    List<ResourceRequest> asks = changed.stream().map(this::ask).toList();
    changed.clear();
    return asks;
  }

  /** All of the table, as it is sent to a ResourceManager that has just been started. */
  List<ResourceRequest> everything() {
    changed.clear();
    return table.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(entry -> ask(entry.getKey()))
        .toList();
  }

  List<Wish> open() {
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

  private void count(Wish wish, int difference) {
    List<String> names = new ArrayList<>(wish.names());
    names.add(ResourceRequest.ANY);
    for (String each : names) {
      Name name = new Name(wish.key(), each);
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
