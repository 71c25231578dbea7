package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.allocator.AllocatorSelection;
import dev.weir.yarn.allocator.MasterPlacement;
import dev.weir.yarn.ask.ApplicationInputs;
import dev.weir.yarn.ask.AskSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ApplicationMaster of an application that names its inputs is placed near them. */
class MasterPlacementResourceManagerTest {

  private static final long MB = 1024 * 1024;

  @ParameterizedTest
  @EnumSource(names = {"HEARTBEATS", "ASYNCHRONOUS"})
  void anApplicationMasterIsPlacedNearItsInputs(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB)).file("/B", Map.of("h2", 100 * MB));
      sixNodes(rm, 1);

      RMApp byProperty = rm.submit("alice", Set.of(), Map.of(ApplicationInputs.KEY, "/data/a"));
      awaitLookup(rm, "alice");
      awaitMaster(rm, byProperty);
      RMApp byTag = rm.submit("bob", Set.of("other", "weir.inputs=%2F%42"), Map.of());
      awaitLookup(rm, "bob");
      awaitMaster(rm, byTag);

      assertThat(TestResourceManager.masterHost(byProperty)).isEqualTo("h5");
      assertThat(TestResourceManager.masterHost(byTag)).isEqualTo("h2");
      assertThat(rm.files.askedBy).containsOnly("alice", "bob");
    }
  }

  @ParameterizedTest
  @EnumSource
  void inputsPlaceContainersOfAnUnmodifiedApplicationMaster(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB));
      rm.node("am", "/am-rack", 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=/data/a"), Map.of());
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      awaitMaster(rm, app);
      MockAM am = rm.launch(app);
      sixNodes(rm, 4);
      // The snapshot of the nodes is renewed once per second.
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
  void anApplicationMasterIsAllocatedWithoutAnAnswer(SchedulerMode mode) throws Exception {
    try (TestResourceManager rm = mode.start(new ManualExecutor())) {
      sixNodes(rm, 1);
      RMApp app = rm.submit("alice", Set.of("weir.inputs=/data/a"), Map.of());
      for (int i = 0; i < 3; i++) {
        rm.heartbeatNodes();
      }
      assertThat(TestResourceManager.masterHost(app)).isNull();
      // Repeated, because the hold begins when the scheduler first considers the container.
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                rm.heartbeatNodes();
                rm.clock.advance(AskSettings.DEFAULT_HOLD);
                return TestResourceManager.masterHost(app) != null;
              });
    }
  }

  @Test
  void inputsAreNotParsedByTheScheduler() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = SchedulerMode.HEARTBEATS.start(lookups)) {
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
  void anInternalErrorDelaysNothing(SchedulerMode mode) throws Exception {
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
  void anApplicationMaySelectTheAllocator() throws Exception {
    try (TestResourceManager rm = SchedulerMode.HEARTBEATS_WITHOUT_ALLOCATOR.start()) {
      rm.files.file("/data/a", Map.of("h5", 100 * MB));
      sixNodes(rm, 1);

      RMApp app =
          rm.submit(
              "alice",
              Set.of(),
              Map.of(
                  ApplicationInputs.KEY,
                  "/data/a",
                  AllocatorSelection.APPLICATION_KEY,
                  WeirPlacementAllocator.class.getName()));
      awaitMaster(rm, app);

      assertThat(TestResourceManager.masterHost(app)).isEqualTo("h5");
    }
  }

  /** Does not advance the clock, so that slow threads do not end the hold. */
  private static void awaitLookup(TestResourceManager rm, String user) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              rm.heartbeatNodes();
              return rm.files.askedBy.contains(user);
            });
  }

  private static void awaitMaster(TestResourceManager rm, RMApp app) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              // The placement checks for a decision at intervals of that clock.
              rm.clock.advance(MasterPlacement.CHECK_EVERY_MILLIS);
              rm.heartbeatNodes();
              return TestResourceManager.masterHost(app) != null;
            });
  }
}
