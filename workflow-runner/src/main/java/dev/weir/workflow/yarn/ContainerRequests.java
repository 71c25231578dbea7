package dev.weir.workflow.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;

/** The containers of one size that YARN is asked for and has not given yet. Not thread-safe. */
final class ContainerRequests {

  private static final Priority PRIORITY = Priority.newInstance(1);

  private final Resource size;
  private final Map<Long, ContainerRequest> open = new HashMap<>();
  private Containers yarn;
  private long lastId;

  /**
   * None.
   *
   * @param size of each container
   */
  @SuppressWarnings("NullAway.Init") // YARN is there only after its call-back handler
  ContainerRequests(Resource size) {
    this.size = size;
  }

  /** Says whom to ask; to be called before all others. */
  void open(Containers of) {
    yarn = of;
  }

  int size() {
    return open.size();
  }

  /**
   * Asks for one more.
   *
   * @param where resource names that say where it would be best; empty for anywhere
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
   * YARN gives a container: what it was asked for with is asked for no longer.
   *
   * @return where it would have been best, an empty list for anywhere; nothing when nobody wants it
   *     any more
   */
  Optional<List<String>> answer(Container given) {
    ContainerRequest request = open.remove(given.getAllocationRequestId());
    if (request == null) {
      return Optional.empty();
    }
    yarn.withdraw(request);
    return Optional.of(request.getNodes() == null ? List.of() : request.getNodes());
  }

  /** Asks for none any more. */
  void withdraw() {
    open.values().forEach(yarn::withdraw);
    open.clear();
  }
}
