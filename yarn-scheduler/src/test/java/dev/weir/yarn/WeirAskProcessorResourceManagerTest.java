package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processor in a real ResourceManager. */
class WeirAskProcessorResourceManagerTest {

  private static final long MB = 1024 * 1024;

  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void containersGoToTheNodesOfTheirFiles(boolean asynchronous) throws Exception {
    try (TestResourceManager rm = new TestResourceManager(asynchronous, ManualExecutor.atOnce())) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      rm.files.file("/data/b", Map.of("h5", 100 * MB, "h1", MB));
      MockAM am = rm.application("alice");
      for (int i = 1; i <= 6; i++) {
        rm.node("h" + i, i <= 3 ? "/r1" : "/r2", 4);
      }

      List<ResourceRequest> asks =
          List.of(
              Asks.ask("weir:/data/a", 1),
              Asks.ask("weir:/data/b", 1),
              Asks.ask("/default-rack", 2),
              Asks.ask("*", 2));
      List<Container> containers = containers(rm, am, asks, 2);

      assertThat(containers)
          .extracting(container -> container.getNodeId().getHost())
          .containsExactlyInAnyOrder("h3", "h5");
      assertThat(rm.files.askedBy).containsOnly("alice");
    }
  }

  /** Sends the asks and heartbeats until so many containers have come, and once more. */
  private static List<Container> containers(
      TestResourceManager rm, MockAM am, List<ResourceRequest> asks, int expected)
      throws Exception {
    List<Container> containers = new ArrayList<>(allocate(am, asks));
    await()
        .atMost(Duration.ofSeconds(20))
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

  private static List<Container> allocate(MockAM am, List<ResourceRequest> asks) throws Exception {
    return am.allocate(AllocateRequest.newInstance(0, 0, asks, List.of(), null))
        .getAllocatedContainers();
  }
}
