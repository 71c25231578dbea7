package dev.weir.yarn;

import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.NODE;
import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.PlacementTargets.allocationTag;
import static org.apache.hadoop.yarn.api.resource.PlacementConstraints.targetNotIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
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

/** Files beside what else an application may ask with: labels of nodes, and constraints. */
class MixedAsksTest {

  private static final long MB = 1024 * 1024;

  @Test
  void aLabelBoundsWhereTheFilesAreLookedFor() throws Exception {
    try (TestResourceManager rm = labelled()) {
      rm.files.file("/in", Map.of("h5", 100 * MB)).file("/out", Map.of("h2", 100 * MB));
      MockAM am = rm.application("alice");
      RMNodeLabelsManager labels = rm.rm().getRMContext().getNodeLabelManager();
      labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("x"));
      for (int i = 1; i <= 6; i++) {
        MockNM node = rm.node("h" + i, i <= 3 ? "/r1" : "/r2", 4);
        if (i > 3) {
          labels.addLabelsToNode(Map.of(node.getNodeId(), Set.of("x")));
        }
      }
      rm.rm().drainEvents();

      List<ResourceRequest> asks = new ArrayList<>();
      asks.addAll(labelled(1, "weir:/in"));
      asks.addAll(labelled(2, "weir:/out"));
      asks.add(Asks.ask(3, "weir:/out", 1));
      asks.add(Asks.ask(3, "*", 1));
      List<Container> come = containers(rm, am, request(asks, List.of()), 3);

      assertThat(come).hasSize(3);
      assertThat(hosts(come, 1)).containsExactly("h5");
      assertThat(hosts(come, 2)).containsAnyOf("h4", "h5", "h6").hasSize(1);
      assertThat(hosts(come, 3)).containsExactly("h2");
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  /**
   * The Capacity scheduler drops the constrained requests of a heartbeat that changes an ask for
   * any node too, with or without us. So ours must not be in it when the application's are not.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER,
        YarnConfiguration.PROCESSOR_RM_PLACEMENT_CONSTRAINTS_HANDLER
      })
  void constraintsAreKeptBesideFiles(String handler) throws Exception {
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

      List<Container> come = containers(rm, am, request(List.of(), List.of(fourApart())), 6);

      assertThat(hosts(come, 1)).containsExactly("h4", "h4");
      assertThat(hosts(come, 5)).containsExactlyInAnyOrder("h1", "h2", "h3", "h4");
      assertThat(come).hasSize(6);
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

  private static TestResourceManager labelled() {
    Configuration conf = TestResourceManager.configuration(false, true);
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    for (String queue : List.of("root", "root.default")) {
      String prefix = "yarn.scheduler.capacity." + queue + ".accessible-node-labels";
      conf.set(prefix, "x");
      conf.set(prefix + ".x.capacity", "100");
    }
    return new TestResourceManager(new TestResourceManager.Setup(conf, ManualExecutor.atOnce()));
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
   * What comes until so many are there, and once more. The processor that handles constraints has
   * threads of its own, for which there is no telling in which heartbeat their containers come.
   */
  private static List<Container> containers(
      TestResourceManager rm, MockAM am, AllocateRequest request, int expected) throws Exception {
    List<Container> come = new ArrayList<>(am.allocate(request).getAllocatedContainers());
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              heartbeat(rm, am, come);
              return come.size() >= expected;
            });
    heartbeat(rm, am, come);
    return come;
  }

  private static void heartbeat(TestResourceManager rm, MockAM am, List<Container> come)
      throws Exception {
    rm.heartbeatNodes();
    come.addAll(am.allocate(request(List.of(), List.of())).getAllocatedContainers());
    rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX / 8);
  }

  private static List<String> hosts(List<Container> containers, int priority) {
    return containers.stream()
        .filter(container -> container.getPriority().getPriority() == priority)
        .map(container -> container.getNodeId().getHost())
        .toList();
  }
}
