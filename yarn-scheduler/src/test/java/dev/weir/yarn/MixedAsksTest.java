package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.NODE;
import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.PlacementTargets.allocationTag;
import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.targetNotIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.ApplicationAsks;
import dev.weir.yarn.ask.AskSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of files combined with node labels, blacklists and placement constraints. */
class MixedAsksTest {

  private static final long MB = 1024 * 1024;

  @Test
  void aLabelLimitsTheNodesOfFiles() throws Exception {
    try (TestResourceManager rm = labelled()) {
      rm.files.file("/in", Map.of("h5", 100 * MB)).file("/out", Map.of("h2", 100 * MB));
      MockAM am = rm.application("alice");
      twoPartitions(rm);

      List<ResourceRequest> asks = new ArrayList<>();
      asks.addAll(labelled(1, "weir:/in"));
      asks.addAll(labelled(2, "weir:/out"));
      asks.add(Asks.ask(3, "weir:/out", 1));
      asks.add(Asks.ask(3, "*", 1));
      List<Container> allocated = containers(rm, am, request(asks, List.of()), 3);

      assertThat(allocated).hasSize(3);
      assertThat(hosts(allocated, 1)).containsExactly("h5");
      assertThat(hosts(allocated, 2)).containsAnyOf("h4", "h5", "h6").hasSize(1);
      assertThat(hosts(allocated, 3)).containsExactly("h2");
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @Test
  void nothingWaitsForANodeOfAnotherPartition() throws Exception {
    try (TestResourceManager rm = labelled()) {
      rm.files.file("/in", Map.of("h5", 100 * MB)).file("/out", Map.of("h2", 100 * MB));
      MockAM am = rm.application("alice");
      twoPartitions(rm);

      List<ResourceRequest> asks = new ArrayList<>(labelled(1, "weir:/out"));
      asks.addAll(List.of(Asks.ask(2, "weir:/in", 1), Asks.ask(2, "*", 1)));
      // The clock does not advance, so a waiting container would never be allocated.
      List<Container> allocated = until(rm, am, asks, 2);

      assertThat(hosts(allocated, 1)).containsAnyOf("h4", "h5", "h6").hasSize(1);
      assertThat(hosts(allocated, 2)).containsAnyOf("h1", "h2", "h3").hasSize(1);
    }
  }

  @Test
  void theQueuesLabelAppliesToAsksWithout() throws Exception {
    Configuration conf = labels();
    conf.set("yarn.scheduler.capacity.root.default.default-node-label-expression", "x");
    try (TestResourceManager rm = start(conf)) {
      rm.files.file("/in", Map.of("h5", 100 * MB)).file("/out", Map.of("h2", 100 * MB));
      RMNodeLabelsManager labels = rm.rm().getRMContext().getNodeLabelManager();
      labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("x"));
      labels.addLabelsToNode(Map.of(NodeId.newInstance("am1", 0), Set.of("x")));
      MockAM am = rm.application("alice");
      twoPartitions(rm);

      List<ResourceRequest> asks = new ArrayList<>(Asks.named("weir:/in", 1));
      asks.addAll(List.of(Asks.ask(2, "weir:/out", 1), Asks.ask(2, "*", 1)));
      List<Container> allocated = until(rm, am, asks, 2);

      assertThat(hosts(allocated, 1)).containsExactly("h5");
      assertThat(hosts(allocated, 2)).containsAnyOf("h4", "h5", "h6").hasSize(1);
    }
  }

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void nothingWaitsForABlacklistedNode(boolean allocator) throws Exception {
    try (TestResourceManager rm = start(TestResourceManager.configuration(false, allocator))) {
      rm.files
          .file("/a", Map.of("h3", 100 * MB))
          .file("/b", Map.of("h3", 100 * MB, "h5", 60 * MB))
          .file("/c", Map.of("h6", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);
      List<ResourceRequest> asks = new ArrayList<>(Asks.named("weir:/a", 1));
      asks.addAll(List.of(Asks.ask(2, "weir:/b", 1), Asks.ask(2, "*", 1)));
      List<Container> allocated = new ArrayList<>(allocateBlacklisting(am, asks, "h3"));
      // A later heartbeat than the one with the blacklist.
      allocated.addAll(
          until(
              rm,
              am,
              List.of(Asks.ask(3, "weir:/a", 1), Asks.ask(3, "*", 1)),
              3 - allocated.size()));

      assertThat(hosts(allocated, 1)).hasSize(1).doesNotContain("h3");
      assertThat(hosts(allocated, 2)).containsExactly("h5");
      assertThat(hosts(allocated, 3)).hasSize(1).doesNotContain("h3");

      allocate(am, List.of(Asks.ask(4, "weir:/c", 1), Asks.ask(4, "*", 1)));
      allocated.clear();
      allocated.addAll(allocateBlacklisting(am, List.of(), "/r2"));
      rm.clock.advance(ApplicationAsks.WAIT_CHECK_EVERY_MILLIS);
      allocated.addAll(until(rm, am, List.of(), 1 - allocated.size()));
      assertThat(hosts(allocated, 4)).containsAnyOf("h1", "h2").hasSize(1);
    }
  }

  private static List<Container> allocateBlacklisting(
      MockAM am, List<ResourceRequest> asks, String place) throws Exception {
    return am.allocate(
            AllocateRequest.newInstance(
                0,
                0,
                asks,
                List.of(),
                ResourceBlacklistRequest.newInstance(List.of(place), List.of())))
        .getAllocatedContainers();
  }

  /**
   * The Capacity scheduler drops the constrained requests of a heartbeat that also changes an ask
   * for any node. So Weir must not add such an ask to a heartbeat.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER,
        YarnConfiguration.PROCESSOR_RM_PLACEMENT_CONSTRAINTS_HANDLER
      })
  void constraintsAreNotDroppedBesideFiles(String handler) throws Exception {
    Configuration conf = TestResourceManager.configuration(false, true);
    conf.set(YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER, handler);
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm =
        new TestResourceManager(new TestResourceManager.Setup(conf, lookups))) {
      rm.files.file("/in", Map.of("h4", 100 * MB));
      MockAM am = rm.application("alice");
      for (int i = 1; i <= 4; i++) {
        rm.node("h" + i, i <= 2 ? "/r1" : "/r2", 4);
      }
      am.allocate(request(Asks.named("weir:/in", 2), List.of()));
      lookups.runAll();

      List<Container> allocated = containers(rm, am, request(List.of(), List.of(fourApart())), 6);

      assertThat(hosts(allocated, 1)).containsExactly("h4", "h4");
      assertThat(hosts(allocated, 5)).containsExactlyInAnyOrder("h1", "h2", "h3", "h4");
      assertThat(allocated).hasSize(6);
    }
  }

  private static SchedulingRequest fourApart() {
    return SchedulingRequest.newBuilder()
        .priority(Priority.newInstance(5))
        .allocationRequestId(7)
        .executionType(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED))
        .allocationTags(Set.of("apart"))
        .placementConstraintExpression(targetNotIn(NODE, allocationTag("apart")).build())
        .resourceSizing(
            ResourceSizing.newInstance(
                4, Resource.newInstance(TestResourceManager.CONTAINER_MB, 1)))
        .build();
  }

  private static TestResourceManager labelled() throws IOException {
    TestResourceManager rm = start(labels());
    rm.rm()
        .getRMContext()
        .getNodeLabelManager()
        .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("x"));
    return rm;
  }

  private static Configuration labels() {
    Configuration conf = TestResourceManager.configuration(false, true);
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    for (String queue : List.of("root", "root.default")) {
      String prefix = "yarn.scheduler.capacity." + queue + ".accessible-node-labels";
      conf.set(prefix, "x");
      conf.set(prefix + ".x.capacity", "100");
    }
    return conf;
  }

  private static TestResourceManager start(Configuration conf) {
    return new TestResourceManager(new TestResourceManager.Setup(conf, ManualExecutor.immediate()));
  }

  /** Adds the nodes h1 to h6; h4 to h6 have the label x. */
  private static void twoPartitions(TestResourceManager rm) throws Exception {
    RMNodeLabelsManager labels = rm.rm().getRMContext().getNodeLabelManager();
    for (int i = 1; i <= 6; i++) {
      MockNM node = rm.node("h" + i, i <= 3 ? "/r1" : "/r2", 4);
      if (i > 3) {
        labels.addLabelsToNode(Map.of(node.getNodeId(), Set.of("x")));
      }
    }
    rm.rm().drainEvents();
  }

  private static List<ResourceRequest> labelled(int priority, String name) {
    ResourceRequest any = Asks.ask(priority, "*", 1);
    any.setNodeLabelExpression("x");
    return List.of(Asks.ask(priority, name, 1), any);
  }

  private static AllocateRequest request(
      List<ResourceRequest> asks, List<SchedulingRequest> constrained) {
    return AllocateRequest.newBuilder()
        .askList(asks)
        .releaseList(List.of())
        .schedulingRequests(constrained)
        .build();
  }

  /**
   * Heartbeats until the given number of containers is allocated, and once more. The processor that
   * handles constraints has its own threads, so the heartbeat that reports a container is
   * undetermined.
   */
  private static List<Container> containers(
      TestResourceManager rm, MockAM am, AllocateRequest request, int expected) throws Exception {
    List<Container> allocated = new ArrayList<>(am.allocate(request).getAllocatedContainers());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              heartbeat(rm, am, allocated);
              return allocated.size() >= expected;
            });
    heartbeat(rm, am, allocated);
    return allocated;
  }

  private static void heartbeat(TestResourceManager rm, MockAM am, List<Container> allocated)
      throws Exception {
    rm.heartbeatNodes();
    allocated.addAll(am.allocate(request(List.of(), List.of())).getAllocatedContainers());
    rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX / 8);
  }

  private static List<String> hosts(List<Container> containers, int priority) {
    return containers.stream()
        .filter(container -> container.getPriority().getPriority() == priority)
        .map(container -> container.getNodeId().getHost())
        .toList();
  }
}
