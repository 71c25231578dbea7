package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.lookup.LookupThreads;
import dev.weir.yarn.wait.HeadroomReservation;
import dev.weir.yarn.wait.HeadroomReservations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of two priorities in a queue with little headroom, in a real ResourceManager. */
class HeadroomReservationResourceManagerTest {

  private static final long BYTES = 100L * 1024 * 1024;

  /**
   * The application may use four of ten units: one for its ApplicationMaster, one for the container
   * on the file's node. The waiting container needs the other two.
   */
  @ParameterizedTest(name = "asynchronous: {0}")
  @ValueSource(booleans = {false, true})
  void aLowerPriorityLeavesHeadroomToTheWaitingKey(boolean asynchronous) throws Exception {
    try (TestResourceManager rm = start(asynchronous)) {
      rm.files.file("/data/a", Map.of("h1", BYTES));
      MockAM am = rm.application("alice");
      MockNM home = rm.node("h1", "/r1", 2);
      MockNM other = rm.node("h2", "/r2", 7);
      restrict(rm, asynchronous);
      Container onHome = until(rm, am, Asks.named("weir:/data/a", 1), 1).get(0);
      assertThat(onHome.getNodeId()).isEqualTo(home.getNodeId());

      List<Container> allocated = new ArrayList<>(allocate(am, both()));
      allocated.addAll(heartbeatsOf(rm, am, other));
      assertThat(allocated).isEmpty();

      home.nodeHeartbeat(
          onHome.getId().getApplicationAttemptId(),
          onHome.getId().getContainerId(),
          ContainerState.COMPLETE);
      awaitContainers(rm, am, allocated, 2);
      assertThat(allocated).extracting(each -> each.getResource().getMemorySize()).contains(2048L);
      assertThat(allocated)
          .filteredOn(each -> each.getResource().getMemorySize() == 2048)
          .extracting(each -> each.getNodeId().getHost())
          .containsExactly("h1");
      assertThat(rm.pendingContainers(am)).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "asynchronous: {0}")
  @ValueSource(booleans = {false, true})
  void allAreAllocatedAfterTheWait(boolean asynchronous) throws Exception {
    try (TestResourceManager rm = start(asynchronous)) {
      rm.files.file("/data/a", Map.of("h1", BYTES));
      MockAM am = rm.application("alice");
      rm.node("h1", "/r1", 2);
      rm.node("h2", "/r2", 7);
      restrict(rm, asynchronous);
      until(rm, am, Asks.named("weir:/data/a", 1), 1);
      List<Container> allocated = new ArrayList<>(allocate(am, both()));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
                rm.heartbeatNodes();
                allocated.addAll(allocate(am, List.of()));
                return !allocated.isEmpty();
              });

      assertThat(hosts(allocated)).containsOnly("h2");
      if (!asynchronous) {
        // The scheduler's own threads may check the two keys before and after the clock advances.
        assertThat(allocated.get(0).getResource().getMemorySize()).isEqualTo(2048);
      }
    }
  }

  /** The allocator of the lower priority exists before another key waits. */
  @Test
  void anEarlierKeyLeavesHeadroomToo() throws Exception {
    try (TestResourceManager rm = start(false)) {
      rm.files.file("/data/a", Map.of("h1", BYTES));
      MockAM am = rm.application("alice");
      rm.node("h1", "/r1", 2);
      MockNM other = rm.node("h2", "/r2", 7);
      restrict(rm, false);
      until(rm, am, Asks.named("weir:/data/a", 1), 1);
      assertThat(plugin(rm).reservations().created()).isEqualTo(1);

      allocate(am, Asks.on(3, both()));
      allocate(am, Asks.on(2, both()));

      assertThat(heartbeatsOf(rm, am, other)).isEmpty();
    }
  }

  /**
   * The containers allocated by heartbeats of one node. A heartbeat of the file's node would
   * reserve it, and the queue's headroom with it.
   */
  private static List<Container> heartbeatsOf(TestResourceManager rm, MockAM am, MockNM node)
      throws Exception {
    List<Container> allocated = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      node.nodeHeartbeat(true);
      rm.rm().drainEvents();
      allocated.addAll(allocate(am, List.of()));
    }
    return allocated;
  }

  /** Hadoop creates an allocator for each key of each application, and most name no files. */
  @Test
  void reservationsAreCreatedOnlyForWaits() throws Exception {
    try (TestResourceManager rm = start(false)) {
      rm.files.file("/data/a", Map.of("h1", BYTES));
      MockAM am = rm.application("alice");
      rm.node("h1", "/r1", 9);
      rm.node("h2", "/r2", 7);
      HeadroomReservations reservations = plugin(rm).reservations();

      until(rm, am, Asks.named("h1", 1), 1);
      until(rm, am, List.of(Asks.ask(3, "*", 2)), 2);
      assertThat(reservations.created()).isZero();

      until(rm, am, List.of(Asks.ask(4, "weir:/data/a", 1), Asks.ask(4, "*", 1)), 1);
      assertThat(reservations.created()).isEqualTo(1);
    }
  }

  private static PluginContext plugin(TestResourceManager rm) {
    return Objects.requireNonNull(PluginContext.of(rm.rm().getRMContext()));
  }

  private static TestResourceManager start(boolean asynchronous) {
    return new TestResourceManager(
        new TestResourceManager.Setup(
            configuration(asynchronous, 100),
            asynchronous ? LookupThreads.create() : ManualExecutor.immediate()));
  }

  /**
   * Limits the queue after all nodes have registered; before, the ApplicationMaster would not fit.
   */
  private static void restrict(TestResourceManager rm, boolean asynchronous) throws Exception {
    rm.rm()
        .getResourceScheduler()
        .reinitialize(configuration(asynchronous, 40), rm.rm().getRMContext());
  }

  private static Configuration configuration(boolean asynchronous, int share) {
    Configuration conf = TestResourceManager.configuration(asynchronous, true);
    conf.set("yarn.scheduler.capacity.root.queues", "default,other");
    conf.setInt("yarn.scheduler.capacity.root.default.capacity", share);
    conf.setInt("yarn.scheduler.capacity.root.default.maximum-capacity", share);
    conf.setInt("yarn.scheduler.capacity.root.other.capacity", 100 - share);
    return conf;
  }

  /** Asks for one large container for the file, and for two of lower priority anywhere. */
  private static List<ResourceRequest> both() {
    ResourceRequest file = Asks.ask(2, "weir:/data/a", 1);
    ResourceRequest any = Asks.ask(2, "*", 1);
    file.setCapability(Resource.newInstance(2048, 1));
    any.setCapability(Resource.newInstance(2048, 1));
    return List.of(file, any, Asks.ask(3, "*", 2));
  }

  private static void awaitContainers(
      TestResourceManager rm, MockAM am, List<Container> allocated, int expected) throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        // Other threads update the headroom and must not be late by the manual clock.
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              rm.clock.advance(HeadroomReservation.UPDATE_EVERY_MILLIS);
              rm.heartbeatNodes();
              allocated.addAll(allocate(am, List.of()));
              return allocated.size() >= expected;
            });
  }
}
