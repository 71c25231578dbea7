package dev.weir.yarn;

import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.metrics.AskMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.junit.jupiter.api.Test;

/** Heartbeats with constrained requests: held asks go to the scheduler separately. */
class SplitHeartbeatTest {

  @Test
  void noEndOfAContainerIsAcknowledgedBeforeItIsReported() throws Exception {
    try (TestResourceManager rm = start(new Configuration(false))) {
      MockAM am = rm.application("alice");
      MockNM node = rm.node("h1", "/r1", 8);
      Container first = until(rm, am, List.of(Asks.ask(3, "*", 1)), 1).get(0);
      am.allocate(request(Asks.named("weir:/in", 2), List.of()));
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      node.nodeHeartbeat(
          first.getId().getApplicationAttemptId(),
          first.getId().getContainerId(),
          ContainerState.COMPLETE);
      rm.rm().drainEvents();

      AllocateResponse answer = am.allocate(request(List.of(), List.of(constrained(6))));

      assertThat(answer.getCompletedContainersStatuses())
          .extracting(ContainerStatus::getContainerId)
          .containsExactly(first.getId());
      RMAppAttemptImpl attempt = (RMAppAttemptImpl) app(rm, am).getCurrentAppAttempt();
      assertThat(attempt.getFinishedContainersSentToAMReference().values())
          .as("containers that the NodeManagers must still report")
          .anySatisfy(
              statuses ->
                  assertThat(statuses)
                      .extracting(ContainerStatus::getContainerId)
                      .contains(first.getId()));
      assertThat(hosts(until(rm, am, List.of(), 3))).hasSize(3);
    }
  }

  @Test
  void aRefusedSeparateAskIsReportedAndRetried() throws Exception {
    try (TestResourceManager rm = start(largestNodeCounts())) {
      MockAM am = rm.application("alice");
      MockNM large = rm.node("h1", "/r1", 8);
      am.allocate(request(large(Asks.named("weir:/in", 1)), List.of()));
      lose(rm, large);
      rm.clock.advance(AskSettings.DEFAULT_HOLD);

      am.allocate(request(List.of(), List.of(constrained(6))));

      assertThat(app(rm, am).getDiagnostics().toString())
          .startsWith("Weir: YARN refuses asks that name files: Invalid resource request");
      AskMetrics metrics =
          Objects.requireNonNull(PluginContext.of(rm.rm().getRMContext())).metrics();
      assertThat(metrics.value(AskMetrics.Event.FAILURES)).isEqualTo(1);
      rm.node("h2", "/r1", 8);
      am.allocate(request(List.of(), List.of(constrained(7))));
      assertThat(app(rm, am).getDiagnostics().toString()).doesNotContain("Weir");
      assertThat(rm.pendingContainers(am)).isEqualTo(1);
    }
  }

  /** The scheduler accepts either asks or constrained requests on a key. */
  @Test
  void containersAreCountedIfSeparateAsksAreRefused() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = start(new Configuration(false), lookups)) {
      rm.files.file("/b", Map.of("h2", 1_000_000L));
      MockAM am = rm.application("alice");
      MockNM node = rm.node("h2", "/r1", 2);
      am.allocate(request(List.of(Asks.ask(2, "weir:/b", 1), Asks.ask(2, "*", 1)), List.of()));
      lookups.runAll();
      am.allocate(request(List.of(Asks.ask(3, "weir:/in", 1), Asks.ask(3, "*", 1)), List.of()));
      am.allocate(request(List.of(), List.of(constrained(3, -1, 50))));
      node.nodeHeartbeat(true);
      rm.rm().drainEvents();
      rm.clock.advance(AskSettings.DEFAULT_HOLD);

      AllocateResponse answer = am.allocate(request(List.of(), List.of(constrained(6))));

      assertThat(answer.getAllocatedContainers())
          .extracting(container -> container.getPriority().getPriority())
          .contains(2);
      assertThat(app(rm, am).getDiagnostics().toString())
          .startsWith("Weir: YARN refuses asks that name files");
      AskMetrics metrics =
          Objects.requireNonNull(PluginContext.of(rm.rm().getRMContext())).metrics();
      assertThat(metrics.value(AskMetrics.Event.FAILURES)).as("refused").isEqualTo(1);
      assertThat(metrics.value(AskMetrics.Event.CONTAINERS_ON_NAMED_NODES)).isEqualTo(1);
    }
  }

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
      am.allocate(request(asks, List.of()));
      lose(rm, large);
      lookups.runAll();

      am.allocate(request(List.of(Asks.ask(3, "*", 1)), List.of()));

      assertThat(app(rm, am).getDiagnostics().toString())
          .startsWith("Weir: YARN refuses asks that name files: Invalid resource request");
      assertThat(hosts(until(rm, am, List.of(), 2)))
          .as("the containers of the other keys, one of which was held too")
          .containsExactly("h2", "h2");
      assertThat(rm.pendingContainers(am)).isZero();
      rm.node("h3", "/r1", 8);
      am.allocate(request(List.of(), List.of()));
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
      am.allocate(request(large(Asks.named("weir:/in", 1)), List.of()));
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      am.allocate(request(List.of(), List.of()));
      assertThat(rm.pendingContainers(am)).as("without nodes").isEqualTo(1);
      lose(rm, large);
      rm.node("h2", "/r1", 2);
      rm.node("h3", "/r1", 2);
      lookups.runAll();
      rm.clock.advance(1_000);

      am.allocate(request(List.of(), List.of()));

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

  /** Starts a ResourceManager that never runs lookups. */
  private static TestResourceManager start(Configuration changes) {
    return start(changes, new ManualExecutor());
  }

  private static TestResourceManager start(Configuration changes, ManualExecutor lookups) {
    Configuration conf = TestResourceManager.configuration(false, true);
    conf.set(
        YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
        YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER);
    changes.forEach(change -> conf.set(change.getKey(), change.getValue()));
    return new TestResourceManager(new TestResourceManager.Setup(conf, lookups));
  }

  private static RMApp app(TestResourceManager rm, MockAM am) {
    return Objects.requireNonNull(
        rm.rm().getRMContext().getRMApps().get(am.getApplicationAttemptId().getApplicationId()));
  }

  private static SchedulingRequest constrained(long id) {
    return constrained(5, id, 1);
  }

  private static SchedulingRequest constrained(int priority, long id, int containers) {
    return SchedulingRequest.newBuilder()
        .priority(Priority.newInstance(priority))
        .allocationRequestId(id)
        .allocationTags(Set.of("any"))
        .resourceSizing(
            ResourceSizing.newInstance(
                containers, Resource.newInstance(TestResourceManager.CONTAINER_MB, 1)))
        .build();
  }

  private static AllocateRequest request(
      List<ResourceRequest> asks, List<SchedulingRequest> constrained) {
    return AllocateRequest.newBuilder()
        .askList(asks)
        .releaseList(List.of())
        .schedulingRequests(constrained)
        .build();
  }
}
