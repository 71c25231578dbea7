package dev.weir.bench.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
 * An application that requests one container at a time and waits for it. Each request is for a file
 * on one node; the container is released after a while.
 */
final class SequentialApplication implements Callable<List<SequentialApplication.Answer>> {
  private static final long HEARTBEAT_MILLIS = 100;
  private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** A file and its only node. */
  record HeldFile(String path, String node) {}

  /**
   * The result of a request.
   *
   * @param local whether the container is on the node with the file
   * @param waitMillis from the heartbeat with the request to the one with the container
   */
  record Answer(boolean local, double waitMillis) {}

  private record HeldContainer(Container container, long sinceNanos) {}

  private final AMRMClient<ContainerRequest> client;
  private final SchedulerVariant variant;
  private final List<HeldFile> files;
  private final int asks;
  private final Resource size;
  private final Random random;
  private final List<HeldContainer> heldContainers = new ArrayList<>();

  SequentialApplication(
      UnmanagedApplication application, SchedulerVariant variant, List<HeldFile> files, Load load) {
    client = application.client();
    this.variant = variant;
    this.files = List.copyOf(files);
    asks = load.asks();
    size = load.size();
    random = new Random(load.seed());
  }

  /** The number of requests and the size of containers; the seed draws the files. */
  record Load(int asks, Resource size, long seed) {}

  @Override
  public List<Answer> call() throws IOException, YarnException, InterruptedException {
    List<Answer> answers = new ArrayList<>();
    for (int i = 1; i <= asks; i++) {
      answers.add(ask(i, files.get(random.nextInt(files.size()))));
    }
    heldContainers.forEach(held -> client.releaseAssignedContainer(held.container().getId()));
    client.allocate(0);
    return answers;
  }

  private Answer ask(long id, HeldFile file)
      throws IOException, YarnException, InterruptedException {
    ContainerRequest.ContainerRequestBuilder builder =
        ContainerRequest.newBuilder()
            .capability(size)
            .priority(Priority.newInstance(2))
            .allocationRequestId(id);
    ContainerRequest request =
        variant == SchedulerVariant.WEIR
            ? builder.racks(new String[] {"weir:" + file.path()}).build()
            : builder.nodes(new String[] {file.node()}).build();
    client.addContainerRequest(request);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < TIMEOUT_NANOS) {
      for (Container container : heartbeat()) {
        long now = System.nanoTime();
        heldContainers.add(new HeldContainer(container, now));
        if (container.getAllocationRequestId() == id) {
          client.removeContainerRequest(request);
          return new Answer(
              container.getNodeId().getHost().equals(file.node()), (now - begin) / 1e6);
        }
      }
      Thread.sleep(HEARTBEAT_MILLIS);
    }
    throw new IOException("No container for " + file + " within two minutes");
  }

  private List<Container> heartbeat() throws IOException, YarnException {
    long now = System.nanoTime();
    List<HeldContainer> expired =
        heldContainers.stream().filter(held -> now - held.sinceNanos() >= HOLD_NANOS).toList();
    heldContainers.removeAll(expired);
    expired.forEach(held -> client.releaseAssignedContainer(held.container().getId()));
    return client.allocate(0).getAllocatedContainers();
  }
}
