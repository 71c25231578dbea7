package dev.weir.bench.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Keeps a cluster in use by a constant number of containers. Each is on a random node with room and
 * lasts a random time. Another one replaces it. So the use of single nodes varies, and some are
 * full for a while.
 */
final class BackgroundLoad implements Callable<Void> {
  private static final Priority PRIORITY = Priority.newInstance(1);
  private static final long TICK_MILLIS = 100;

  /**
   * The amount of load.
   *
   * @param containers at any time
   * @param perNode the capacity of a node in containers
   * @param meanMillis the mean duration of a container; the distribution is exponential
   * @param size of one container
   */
  record Amount(int containers, int perNode, long meanMillis, Resource size) {}

  private record HeldContainer(Container container, long expiryNanos) {}

  private final AMRMClient<ContainerRequest> client;
  private final List<String> nodes;
  private final Amount amount;
  private final Random random;
  private final Map<Long, ContainerRequest> waiting = new HashMap<>();
  private final List<HeldContainer> heldContainers = new ArrayList<>();
  private final Map<String, Integer> onNode = new HashMap<>();
  private long nextId = 1;
  private volatile int heldCount;
  private volatile boolean stopped;

  BackgroundLoad(
      UnmanagedApplication application, List<String> nodes, Amount amount, Random random) {
    client = application.client();
    this.nodes = List.copyOf(nodes);
    this.amount = amount;
    this.random = random;
  }

  /** Returns the current number of containers. Thread-safe. */
  int heldCount() {
    return heldCount;
  }

  /** Makes {@link #call} return soon, with all containers released. */
  void stop() {
    stopped = true;
  }

  @Override
  public Void call() throws IOException, YarnException, InterruptedException {
    while (!stopped) {
      releaseExpired(System.nanoTime());
      request();
      receive();
      heldCount = heldContainers.size();
      Thread.sleep(TICK_MILLIS);
    }
    heldContainers.forEach(held -> client.releaseAssignedContainer(held.container().getId()));
    waiting.values().forEach(client::removeContainerRequest);
    client.allocate(0);
    return null;
  }

  private void releaseExpired(long now) {
    List<HeldContainer> expired =
        heldContainers.stream().filter(held -> held.expiryNanos() <= now).toList();
    heldContainers.removeAll(expired);
    for (HeldContainer held : expired) {
      client.releaseAssignedContainer(held.container().getId());
      onNode.merge(held.container().getNodeId().getHost(), -1, Integer::sum);
    }
  }

  private void request() {
    while (heldContainers.size() + waiting.size() < amount.containers()) {
      List<String> free =
          nodes.stream().filter(node -> onNode.getOrDefault(node, 0) < amount.perNode()).toList();
      String node = free.get(random.nextInt(free.size()));
      long id = nextId++;
      ContainerRequest request =
          ContainerRequest.newBuilder()
              .capability(amount.size())
              .priority(PRIORITY)
              .allocationRequestId(id)
              .nodes(new String[] {node})
              .relaxLocality(false)
              .build();
      client.addContainerRequest(request);
      waiting.put(id, request);
      onNode.merge(node, 1, Integer::sum);
    }
  }

  private void receive() throws IOException, YarnException {
    for (Container container : client.allocate(0).getAllocatedContainers()) {
      ContainerRequest request = waiting.remove(container.getAllocationRequestId());
      if (request == null) {
        client.releaseAssignedContainer(container.getId());
        continue;
      }
      client.removeContainerRequest(request);
      double millis = -Math.log(1 - random.nextDouble()) * amount.meanMillis();
      heldContainers.add(
          new HeldContainer(
              container, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos((long) millis)));
    }
  }
}
