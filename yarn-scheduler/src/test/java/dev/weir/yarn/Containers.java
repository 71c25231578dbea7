package dev.weir.yarn;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;

/** Allocates containers for tests. */
final class Containers {
  private static final Duration LONG = Duration.ofSeconds(60);

  private Containers() {}

  /** Adds the nodes h1 to h6, on the racks /r1 and /r2. */
  static void sixNodes(TestResourceManager rm, int containers) throws Exception {
    for (int i = 1; i <= 6; i++) {
      rm.node("h" + i, i <= 3 ? "/r1" : "/r2", containers);
    }
  }

  static List<String> hosts(List<Container> containers) {
    return containers.stream().map(container -> container.getNodeId().getHost()).toList();
  }

  /**
   * Sends the asks and heartbeats until the given number of containers is allocated, and once more.
   */
  static List<Container> until(
      TestResourceManager rm, MockAM am, List<ResourceRequest> asks, int expected)
      throws Exception {
    List<Container> containers = new ArrayList<>(allocate(am, asks));
    await()
        .atMost(LONG)
        .until(
            () -> {
              rm.heartbeatNodes();
              containers.addAll(allocate(am, List.of()));
              return containers.size() >= expected;
            });
    rm.heartbeatNodes();
    containers.addAll(allocate(am, List.of()));
    return containers;
  }

  /** Sends the asks and the given number of heartbeats; returns the allocated containers. */
  static List<Container> during(
      TestResourceManager rm, MockAM am, List<ResourceRequest> asks, int rounds) throws Exception {
    List<Container> containers = new ArrayList<>(allocate(am, asks));
    for (int i = 0; i < rounds; i++) {
      rm.heartbeatNodes();
      containers.addAll(allocate(am, List.of()));
    }
    return containers;
  }

  static List<Container> allocate(MockAM am, List<ResourceRequest> asks) throws Exception {
    return am.allocate(AllocateRequest.newInstance(0, 0, asks, List.of(), null))
        .getAllocatedContainers();
  }
}
