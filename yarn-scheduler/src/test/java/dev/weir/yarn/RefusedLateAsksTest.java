package dev.weir.yarn;

import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.AskSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.junit.jupiter.api.Test;

/** Asks that YARN accepted, and refuses when they are sent after a hold or a late lookup. */
class RefusedLateAsksTest {

  /** In stock YARN an accepted ask stays pending, also if its nodes are lost. */
  @Test
  void aReleasedAskThatIsNowTooLargeFailsNoHeartbeat() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = start(largestNodeCounts(), lookups)) {
      rm.files.file("/b", Map.of("h2", 1_000_000L));
      MockAM am = rm.application("alice");
      MockNM large = rm.node("h1", "/r1", 8);
      rm.node("h2", "/r1", 2);
      List<ResourceRequest> asks = new ArrayList<>(large(Asks.named("weir:/in", 1)));
      asks.addAll(List.of(Asks.ask(2, "weir:/b", 1), Asks.ask(2, "*", 1)));
      am.allocate(request(asks));
      lose(rm, large);
      lookups.runAll();

      am.allocate(request(List.of(Asks.ask(3, "*", 1))));

      assertThat(app(rm, am).getDiagnostics().toString())
          .startsWith("Weir: YARN refuses asks that name files: Invalid resource request");
      assertThat(hosts(until(rm, am, List.of(), 2)))
          .as("the containers of the other keys, one of which was held too")
          .containsExactly("h2", "h2");
      assertThat(rm.pendingContainers(am)).isZero();
      rm.node("h3", "/r1", 8);
      am.allocate(request(List.of()));
      assertThat(app(rm, am).getDiagnostics().toString()).doesNotContain("refused");
      assertThat(hosts(until(rm, am, List.of(), 1))).containsExactly("h3");
    }
  }

  @Test
  void lateNodesFailNoHeartbeat() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = start(largestNodeCounts(), lookups)) {
      rm.files.file("/in", Map.of("h3", 1_000_000L));
      MockAM am = rm.application("alice");
      MockNM large = rm.node("h1", "/r1", 8);
      am.allocate(request(large(Asks.named("weir:/in", 1))));
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      am.allocate(request(List.of()));
      assertThat(rm.pendingContainers(am)).as("without nodes").isEqualTo(1);
      lose(rm, large);
      rm.node("h2", "/r1", 2);
      rm.node("h3", "/r1", 2);
      lookups.runAll();
      rm.clock.advance(1_000);

      am.allocate(request(List.of()));

      assertThat(rm.pendingContainers(am)).as("as in stock YARN").isEqualTo(1);
      assertThat(app(rm, am).getDiagnostics().toString()).contains("refuses");
    }
  }

  private static List<ResourceRequest> large(List<ResourceRequest> asks) {
    asks.forEach(
        ask -> ask.setCapability(Resource.newInstance(4 * TestResourceManager.CONTAINER_MB, 1)));
    return asks;
  }

  private static Configuration largestNodeCounts() {
    Configuration changes = new Configuration(false);
    // Immediately, without the default delay.
    changes.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, -1);
    return changes;
  }

  private static void lose(TestResourceManager rm, MockNM node) throws Exception {
    rm.rm().sendNodeLost(node);
    rm.nodes.remove(node);
    rm.rm().drainEvents();
  }

  private static TestResourceManager start(Configuration changes, ManualExecutor lookups) {
    Configuration conf = TestResourceManager.configuration(false, true);
    changes.forEach(change -> conf.set(change.getKey(), change.getValue()));
    return new TestResourceManager(new TestResourceManager.Setup(conf, lookups));
  }

  private static RMApp app(TestResourceManager rm, MockAM am) {
    return Objects.requireNonNull(
        rm.rm().getRMContext().getRMApps().get(am.getApplicationAttemptId().getApplicationId()));
  }

  private static AllocateRequest request(List<ResourceRequest> asks) {
    return AllocateRequest.newBuilder().askList(asks).releaseList(List.of()).build();
  }
}
