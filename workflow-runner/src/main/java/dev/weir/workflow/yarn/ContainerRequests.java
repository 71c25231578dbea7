package dev.weir.workflow.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;

/** The open requests for containers of one size. Not thread-safe. */
final class ContainerRequests {

  private static final Priority PRIORITY = Priority.newInstance(1);

  private final Resource size;
  private final Map<Long, ContainerRequest> open = new HashMap<>();
  private Containers yarn;
  private long lastId;

  /** Creates an empty set of requests. */
  @SuppressWarnings("NullAway.Init") // YARN's client exists only after its call-back handler
  ContainerRequests(Resource size) {
    this.size = size;
  }

  /** Sets the interface to YARN; call it before all other methods. */
  void open(Containers of) {
    yarn = of;
  }

  int size() {
    return open.size();
  }

  /**
   * Requests one more container.
   *
   * @param where preferred resource names; empty for no preference
   */
  void add(List<String> where) {
    lastId++;
    ContainerRequest request =
        ContainerRequest.newBuilder()
            .capability(size)
            .priority(PRIORITY)
            .allocationRequestId(lastId)
            .nodes(where.isEmpty() ? null : where.toArray(String[]::new))
            .relaxLocality(true)
            .build();
    open.put(lastId, request);
    yarn.ask(request);
  }

  /**
   * Removes the request that an allocated container answers.
   *
   * @return its preferred resource names, an empty list for no preference; empty when the container
   *     is not wanted any more
   */
  Optional<List<String>> answer(Container given) {
    ContainerRequest request = open.remove(given.getAllocationRequestId());
    if (request == null) {
      return Optional.empty();
    }
    yarn.withdraw(request);
    return Optional.of(request.getNodes() == null ? List.of() : request.getNodes());
  }

  void withdraw() {
    open.values().forEach(yarn::withdraw);
    open.clear();
  }
}
