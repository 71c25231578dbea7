package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.cluster.RmCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of estimating when a full node will have room. */
class FullNodesTest {

  private static final long MB = 1024 * 1024;
  private static final int KEYS = 100;

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void aFullNodeIsExaminedOncePerIntervalForAllKeys(boolean allocator) throws Exception {
    try (TestResourceManager rm =
        new TestResourceManager(
            new TestResourceManager.Setup(
                TestResourceManager.configuration(false, allocator), ManualExecutor.immediate()))) {
      rm.files.file("/data/a", Map.of("h3", 1_000 * MB, "h4", 1_000 * MB));
      MockAM alice = rm.application("alice");
      MockAM bob = rm.application("bob");
      sixNodes(rm, 1);
      until(rm, alice, Asks.named("weir:/data/a", 2), 2);
      RmCluster cluster =
          Objects.requireNonNull(PluginContext.of(rm.rm().getRMContext())).cluster();
      rm.clock.advance(RmCluster.EXAMINE_EVERY_MILLIS);
      long before = cluster.examinations();

      allocate(alice, manyKeys());
      allocate(bob, manyKeys());
      assertThat(cluster.examinations() - before).as("examinations of two full nodes").isEqualTo(2);
      for (int i = 1; i <= 5; i++) {
        rm.clock.advance(RmCluster.EXAMINE_EVERY_MILLIS);
        allocate(alice, List.of());
        allocate(bob, List.of());
      }
      assertThat(cluster.examinations() - before)
          .as("examinations in six intervals")
          .isEqualTo(2 * 6);
    }
  }

  private static List<ResourceRequest> manyKeys() {
    List<ResourceRequest> asks = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      asks.add(Asks.ask(10 + i, "weir:/data/a", 1));
      asks.add(Asks.ask(10 + i, "*", 1));
    }
    return asks;
  }
}
