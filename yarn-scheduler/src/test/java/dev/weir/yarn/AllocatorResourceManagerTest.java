package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The placement allocator in a real ResourceManager, beside the processor. */
class AllocatorResourceManagerTest {

  private static final long MB = 1024 * 1024;

  /** How containers are scheduled, and by what the wait is kept. */
  enum Mode {
    HEARTBEATS(false, true, false),
    ASYNCHRONOUS(true, true, false),
    HEARTBEATS_WITHOUT_ALLOCATOR(false, false, false),
    ASYNCHRONOUS_WITHOUT_ALLOCATOR(true, false, false),
    FAIR(false, true, true),
    FAIR_WITHOUT_ALLOCATOR(false, false, true);

    private final boolean asynchronous;
    private final boolean allocator;
    private final boolean fair;

    Mode(boolean asynchronous, boolean allocator, boolean fair) {
      this.asynchronous = asynchronous;
      this.allocator = allocator;
      this.fair = fair;
    }

    TestResourceManager start() throws IOException {
      // Threads of the scheduler's own hold locks, under which nothing may be looked at.
      return start(asynchronous ? LookupThreads.create() : ManualExecutor.atOnce());
    }

    TestResourceManager start(Executor lookups) throws IOException {
      Configuration conf = TestResourceManager.configuration(asynchronous);
      if (allocator) {
        conf.set(Allocators.CLUSTER_KEY, WeirPlacementAllocator.class.getName());
      }
      if (fair) {
        conf.setClass(YarnConfiguration.RM_SCHEDULER, FairScheduler.class, ResourceScheduler.class);
        // The first ApplicationMaster takes all that there is.
        Path queues = Files.createTempFile("fair", ".xml");
        queues.toFile().deleteOnExit();
        Files.writeString(
            queues,
            "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault></allocations>");
        conf.set(FairSchedulerConfiguration.ALLOCATION_FILE, queues.toString());
      }
      return new TestResourceManager(new TestResourceManager.Setup(conf, lookups));
    }
  }

  @ParameterizedTest
  @EnumSource
  void containersGoToTheNodesOfTheirFiles(Mode mode) throws Exception {
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
  void oneContainerWaitsForItsNodeAndGoesElsewhereWhenThatStaysFull(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      assertThat(hosts(until(rm, am, Asks.named("weir:/data/a", 1), 1))).containsOnly("h3");

      List<Container> second = new ArrayList<>(allocate(am, Asks.named("weir:/data/a", 1)));
      for (int i = 0; i < 5; i++) {
        rm.heartbeatNodes();
        second.addAll(allocate(am, List.of()));
      }
      assertThat(second).isEmpty();
      // More than once: time counts from when a node is declined, for which threads of the
      // scheduler's own may not have found the time yet.
      await()
          .atMost(Duration.ofSeconds(20))
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

  /** Without the allocator the wait is over by the time that there is a choice. */
  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void theWaitBeginsWhenThereIsAnotherNodeToGoTo(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      rm.node("h3", "/r1", 1);
      Container first = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
      List<Container> given = new ArrayList<>(allocate(am, Asks.named("weir:/data/a", 1)));
      // All is full, for long.
      rm.clock.advance(100 * AskSettings.DEFAULT_WAIT_MAX);
      rm.node("h1", "/r1", 1);
      for (int i = 0; i < 3; i++) {
        rm.heartbeatNodes();
        given.addAll(allocate(am, List.of()));
      }
      assertThat(given).isEmpty();
      given.addAll(end(rm, am, first));
      given.addAll(until(rm, am, List.of(), 1 - given.size()));

      assertThat(hosts(given)).containsExactly("h3");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingWaitsForANodeThatIsFullOfContainersThatRunForLong(Mode mode) throws Exception {
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
  void aWaitEndsWhenItsNodeFillsUpForLong(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      until(rm, am, Asks.named("weir:/data/a", 1), 1);
      List<Container> second = new ArrayList<>(allocate(am, Asks.named("weir:/data/a", 1)));
      rm.heartbeatNodes();
      second.addAll(allocate(am, List.of()));
      assertThat(second).isEmpty();
      rm.wallAhead.addAndGet(3_600_000);
      rm.clock.advance(AppAsks.DOUBT_EVERY_MILLIS);

      assertThat(hosts(until(rm, am, List.of(), 1))).hasSize(1).doesNotContain("h3");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNodeWhoseContainersAreKnownToBeShortIsWaitedFor(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h3", 10_000 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      for (int i = 0; i < RunTimes.ENOUGH; i++) {
        Container container = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
        rm.clock.advance(3_601_000);
        end(rm, am, container);
      }
      until(rm, am, Asks.named("weir:/data/a", 1), 1);
      // Old it is, but its like have all ended at about this age.
      rm.wallAhead.addAndGet(3_595_000);

      List<Container> next = new ArrayList<>(allocate(am, Asks.named("weir:/data/a", 1)));
      for (int i = 0; i < 3; i++) {
        rm.heartbeatNodes();
        next.addAll(allocate(am, List.of()));
      }
      assertThat(next).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void anApplicationMasterIsPutWhereTheInputsAre(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB)).file("/B", Map.of("h2", 100 * MB));
      sixNodes(rm, 1);

      RMApp byProperty = rm.submit("alice", Set.of(), Map.of(Inputs.KEY, "/data/a"));
      awaitMaster(rm, byProperty);
      RMApp byTag = rm.submit("bob", Set.of("other", "weir.inputs=%2F%42"), Map.of());
      awaitMaster(rm, byTag);

      assertThat(TestResourceManager.masterHost(byProperty)).isEqualTo("h5");
      assertThat(TestResourceManager.masterHost(byTag)).isEqualTo("h2");
      assertThat(rm.files.askedBy).containsOnly("alice", "bob");
    }
  }

  @ParameterizedTest
  @EnumSource
  void inputsPlaceTheContainersOfAnApplicationMasterThatNamesNothing(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB));
      rm.node("am", "/am-rack", 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=/data/a"), Map.of());
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      awaitMaster(rm, app);
      MockAM am = rm.launch(app);
      sixNodes(rm, 4);
      // The nodes are looked through once a second.
      rm.clock.advance(1_000);

      assertThat(hosts(until(rm, am, List.of(Asks.ask("*", 2)), 2))).containsExactly("h5", "h5");
      allocate(am, List.of(Asks.ask(2, "h1", 1), Asks.ask(2, "/r1", 1), Asks.ask(2, "*", 1)));
      assertThat(Asks.counts(Asks.on(2, rm.after.lastAsks())))
          .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 1));
      assertThat(until(rm, am, List.of(), 1)).hasSize(1);
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void anApplicationMasterComesAlsoWhenNoAnswerDoes(Mode mode) throws Exception {
    try (TestResourceManager rm = mode.start(new ManualExecutor())) {
      sixNodes(rm, 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=/data/a"), Map.of());
      for (int i = 0; i < 3; i++) {
        rm.heartbeatNodes();
      }
      assertThat(TestResourceManager.masterHost(app)).isNull();
      // More than once: the time runs from when the scheduler first thinks of it.
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                rm.heartbeatNodes();
                rm.clock.advance(AskSettings.DEFAULT_HOLD);
                return TestResourceManager.masterHost(app) != null;
              });
    }
  }

  @Test
  void inputsAreReadByOthersThanTheScheduler() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = Mode.HEARTBEATS.start(lookups)) {
      sixNodes(rm, 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=no/such/form"), Map.of());
      rm.heartbeatNodes();
      assertThat(TestResourceManager.masterHost(app)).isNull();

      lookups.runAll();
      rm.heartbeatNodes();
      assertThat(TestResourceManager.masterHost(app)).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void anErrorOfOursKeepsNothingBack(Mode mode) throws Exception {
    Executor broken =
        task -> {
          throw new IllegalStateException("broken");
        };
    try (TestResourceManager rm = mode.start(broken)) {
      sixNodes(rm, 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=/data/a"), Map.of());

      awaitMaster(rm, app);
    }
  }

  @Test
  void aContainerLostBeforeItWasToldOfIsGivenAgainElsewhereAtOnce() throws Exception {
    try (TestResourceManager rm = Mode.HEARTBEATS.start()) {
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

      // Of the heartbeats of NodeManagers alone: nothing has to be relaxed by its
      // ApplicationMaster.
      for (int i = 0; i < 10; i++) {
        rm.heartbeatNodes();
      }
      assertThat(rm.pendingContainers(am)).isZero();
      assertThat(hosts(allocate(am, List.of()))).containsExactly("h2");
    }
  }

  @Test
  void anApplicationMayChooseTheAllocatorForItself() throws Exception {
    try (TestResourceManager rm = Mode.HEARTBEATS_WITHOUT_ALLOCATOR.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB));
      sixNodes(rm, 1);

      RMApp app =
          rm.submit(
              "alice",
              Set.of(),
              Map.of(
                  Inputs.KEY,
                  "/data/a",
                  Allocators.APPLICATION_KEY,
                  WeirPlacementAllocator.class.getName()));
      awaitMaster(rm, app);

      assertThat(TestResourceManager.masterHost(app)).isEqualTo("h5");
    }
  }

  /** Ends a container; what comes until its ApplicationMaster hears of that. */
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
    List<Container> come = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              AllocateResponse answer =
                  am.allocate(AllocateRequest.newInstance(0, 0, List.of(), List.of(), null));
              come.addAll(answer.getAllocatedContainers());
              return !answer.getCompletedContainersStatuses().isEmpty();
            });
    return come;
  }

  private static void awaitMaster(TestResourceManager rm, RMApp app) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              // Whether there is news is looked for now and then, by that clock.
              rm.clock.advance(MasterWish.LOOK_EVERY_MILLIS);
              rm.heartbeatNodes();
              return TestResourceManager.masterHost(app) != null;
            });
  }
}
