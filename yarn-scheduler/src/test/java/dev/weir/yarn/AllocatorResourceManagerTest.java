package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.during;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.ApplicationAsks;
import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.cluster.ContainerRunTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The placement allocator in a real ResourceManager, beside the processor. */
class AllocatorResourceManagerTest {

  private static final long MB = 1024 * 1024;

  @ParameterizedTest
  @EnumSource
  void containersGoToTheNodesOfTheirFiles(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB)).file("/data/b", Map.of("h5", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);

      List<ResourceRequest> asks = new ArrayList<>();
      asks.addAll(Asks.named("weir:/data/a", 1));
      asks.addAll(List.of(Asks.ask(2, "weir:/data/b", 1), Asks.ask(2, "*", 1)));

      assertThat(hosts(until(rm, am, asks, 2))).containsExactlyInAnyOrder("h3", "h5");
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aContainerWaitsForItsNodeThenGoesElsewhere(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      assertThat(hosts(until(rm, am, Asks.named("weir:/data/a", 1), 1))).containsOnly("h3");

      List<Container> second = during(rm, am, Asks.named("weir:/data/a", 1), 5);
      assertThat(second).isEmpty();
      // Repeated, because the wait begins when a node is declined, and the scheduler's threads may
      // not have done that yet.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
                rm.heartbeatNodes();
                second.addAll(allocate(am, List.of()));
                return !second.isEmpty();
              });

      assertThat(hosts(second)).hasSize(1).doesNotContain("h3");
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  /** Without the allocator, the wait has ended before another node has room. */
  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void theWaitBeginsWhenAnotherNodeIsAvailable(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      rm.node("h3", "/r1", 1);
      Container first = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
      List<Container> allocated = new ArrayList<>(allocate(am, Asks.named("weir:/data/a", 1)));
      // All nodes are full.
      rm.clock.advance(100 * AskSettings.DEFAULT_WAIT_MAX);
      rm.node("h1", "/r1", 1);
      for (int i = 0; i < 3; i++) {
        rm.heartbeatNodes();
        allocated.addAll(allocate(am, List.of()));
      }
      assertThat(allocated).isEmpty();
      allocated.addAll(end(rm, am, first));
      allocated.addAll(until(rm, am, List.of(), 1 - allocated.size()));

      assertThat(hosts(allocated)).containsExactly("h3");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingWaitsForANodeFullOfLongContainers(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      assertThat(hosts(until(rm, am, Asks.named("weir:/data/a", 1), 1))).containsOnly("h3");
      rm.wallAhead.addAndGet(3_600_000);

      List<ResourceRequest> asks = List.of(Asks.ask(2, "weir:/data/a", 1), Asks.ask(2, "*", 1));
      assertThat(hosts(until(rm, am, asks, 1))).hasSize(1).doesNotContain("h3");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWaitEndsWhenItsNodeFillsWithLongContainers(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      until(rm, am, Asks.named("weir:/data/a", 1), 1);
      List<Container> second = during(rm, am, Asks.named("weir:/data/a", 1), 1);
      assertThat(second).isEmpty();
      rm.wallAhead.addAndGet(3_600_000);
      rm.clock.advance(ApplicationAsks.WAIT_CHECK_EVERY_MILLIS);

      assertThat(hosts(until(rm, am, List.of(), 1))).hasSize(1).doesNotContain("h3");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aContainerWaitsForANodeOfShortContainers(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 10_000 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      for (int i = 0; i < ContainerRunTimes.ENOUGH; i++) {
        Container container = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
        rm.clock.advance(3_601_000);
        end(rm, am, container);
      }
      Container last = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
      // Similar containers have all ended at about this age.
      long old =
          3_595_000 + rm.rm().getResourceScheduler().getRMContainer(last.getId()).getCreationTime();
      rm.containerClock = () -> old;

      // A new priority, on which no wait has begun.
      List<ResourceRequest> asks = List.of(Asks.ask(2, "weir:/data/a", 1), Asks.ask(2, "*", 1));
      assertThat(during(rm, am, asks, 3)).isEmpty();
    }
  }

  @Test
  void anUnreportedLostContainerIsReplacedElsewhere() throws Exception {
    try (TestResourceManager rm = SchedulerMode.HEARTBEATS.start()) {
      rm.files.file("/data/a", Map.of("h1", 100 * MB));
      MockAM am = rm.application("alice");
      MockNM lost = rm.node("h1", "/r1", 1);
      allocate(am, Asks.named("weir:/data/a", 1));
      rm.heartbeatNodes();
      assertThat(rm.pendingContainers(am)).isZero();
      rm.rm().sendNodeLost(lost);
      rm.rm().drainEvents();
      rm.nodes.remove(lost);
      assertThat(rm.pendingContainers(am)).isEqualTo(1);
      rm.node("h2", "/r2", 1);
      rm.heartbeatNodes();
      rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);

      // Only NodeManagers send heartbeats, so the ApplicationMaster relaxes nothing.
      for (int i = 0; i < 10; i++) {
        rm.heartbeatNodes();
      }
      assertThat(rm.pendingContainers(am)).isZero();
      assertThat(hosts(allocate(am, List.of()))).containsExactly("h2");
    }
  }

  /** Ends a container; returns the containers allocated until its end is reported. */
  private static List<Container> end(TestResourceManager rm, MockAM am, Container container)
      throws Exception {
    MockNM node =
        rm.nodes.stream()
            .filter(each -> each.getNodeId().equals(container.getNodeId()))
            .findFirst()
            .orElseThrow();
    node.nodeHeartbeat(
        container.getId().getApplicationAttemptId(),
        container.getId().getContainerId(),
        ContainerState.COMPLETE);
    rm.rm().drainEvents();
    List<Container> allocated = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              AllocateResponse answer =
                  am.allocate(AllocateRequest.newInstance(0, 0, List.of(), List.of(), null));
              allocated.addAll(answer.getAllocatedContainers());
              return !answer.getCompletedContainersStatuses().isEmpty();
            });
    return allocated;
  }
}
