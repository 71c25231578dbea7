package dev.weir.yarn;

import static dev.weir.yarn.ShownMetrics.metric;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.PluginContext;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.lookup.LocationLookup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/**
 * Neither the scheduler nor the plugin keeps state of ended asks. {@code -Dweir.asks=1000000} sends
 * that many asks, each with its own file and id, and prints the heap usage meanwhile.
 */
class AskLeakTest {

  private static final int ASKS = Integer.getInteger("weir.asks", 2_000);
  private static final int BATCH = 200;
  private static final long MB = 1024 * 1024;

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void endedAsksLeaveNoState(boolean allocator) throws Exception {
    LocationLookup lookup =
        (user, paths) -> Map.of("h" + (1 + Math.floorMod(paths.hashCode(), 6)), 64 * MB);
    try (TestResourceManager rm = start(allocator, lookup)) {
      MockAM am = rm.application("alice");
      for (int i = 1; i <= 6; i++) {
        rm.node("h" + i, i <= 3 ? "/r1" : "/r2", BATCH);
      }
      for (int first = 0; first < ASKS; first += BATCH) {
        batch(rm, am, first);
        if (first % (ASKS / 10) < BATCH) {
          report(first);
        }
      }
      report(ASKS);

      assertNoState(rm, am, ASKS);
    }
  }

  /** An ApplicationMaster need not withdraw asks that were satisfied. */
  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void satisfiedAsksLeaveNoStateIfNotWithdrawn(boolean allocator) throws Exception {
    LocationLookup lookup =
        (user, paths) -> Map.of("h" + (1 + Math.floorMod(paths.hashCode(), 6)), 64 * MB);
    try (TestResourceManager rm = start(allocator, lookup)) {
      MockAM am = rm.application("alice");
      for (int i = 1; i <= 6; i++) {
        // Some containers run elsewhere, and the scheduler keeps their asks for a node.
        rm.node("h" + i, i <= 3 ? "/r1" : "/r2", i == 1 ? 2 : BATCH);
      }
      for (int first = 0; first < 3 * BATCH; first += BATCH) {
        List<Container> allocated =
            new ArrayList<>(allocate(am, asks(first, 1, i -> i % 2 == 0), List.of()));
        for (int i = 0; i < 30 && allocated.size() < BATCH / 2; i++) {
          rm.heartbeatNodes();
          allocated.addAll(allocate(am, List.of(), List.of()));
          rm.clock.advance(1_000);
        }
        assertThat(allocated).hasSize(BATCH / 2);
        allocate(am, List.of(), allocated.stream().map(Container::getId).toList());
      }
      allocate(am, List.of(), List.of());
      allocate(am, List.of(), List.of());

      assertNoState(rm, am, 3 * BATCH);
    }
  }

  /** YARN itself keeps unused asks for a host until the application ends. */
  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void onlyTheApplicationsOwnHostsRemain(boolean allocator) throws Exception {
    LocationLookup lookup =
        (user, paths) -> Map.of("h" + (1 + Math.floorMod(paths.hashCode(), 6)), 64 * MB);
    try (TestResourceManager rm = start(allocator, lookup)) {
      MockAM am = rm.application("alice");
      for (int i = 1; i <= 6; i++) {
        rm.node("h" + i, i <= 3 ? "/r1" : "/r2", i == 1 ? 2 : BATCH);
      }
      for (int first = 0; first < 3 * BATCH; first += BATCH) {
        List<ResourceRequest> asks =
            IntStream.range(first, first + BATCH)
                .mapToObj(AskLeakTest::besideAHost)
                .flatMap(List::stream)
                .toList();
        List<Container> allocated = new ArrayList<>(allocate(am, asks, List.of()));
        // A node that is not named gets one container per heartbeat.
        for (int i = 0; i < 200 && allocated.size() < 2 * BATCH; i++) {
          rm.heartbeatNodes();
          allocated.addAll(allocate(am, List.of(), List.of()));
          rm.clock.advance(1_000);
        }
        assertThat(allocated).hasSize(2 * BATCH);
        allocate(am, List.of(), allocated.stream().map(Container::getId).toList());
      }
      allocate(am, List.of(), List.of());
      allocate(am, List.of(), List.of());

      assertThat(metric("Applications")).isZero();
      List<Map<String, Integer>> left = keysLeft(rm, am, 3 * BATCH);
      assertThat(left)
          .as("keys with the application's own names")
          .hasSizeBetween(1, 3 * BATCH - 1)
          .allSatisfy(AskLeakTest::hasOnlyOwnNames);
    }
  }

  private static void hasOnlyOwnNames(Map<String, Integer> containers) {
    Map<String, Integer> own = new HashMap<>(containers);
    own.keySet().retainAll(List.of("h4", "/r2"));
    assertThat(own.values()).as("of %s", containers).anyMatch(count -> count > 0);
    Map<String, Integer> ofFiles = new HashMap<>(containers);
    ofFiles.keySet().removeAll(own.keySet());
    assertThat(ofFiles.values()).as("of %s", containers).allMatch(count -> count == 0);
  }

  /** Asks for two containers, one of which may run anywhere. */
  private static List<ResourceRequest> besideAHost(int id) {
    return List.of(
        ask(id, "weir:/in/part-" + id, 1), ask(id, "h4", 1), ask(id, "/r2", 1), ask(id, "*", 2));
  }

  /** Checks the tables of the scheduler and of the plugin. */
  private static void assertNoState(TestResourceManager rm, MockAM am, int asks) throws Exception {
    assertThat(keysLeft(rm, am, asks)).isEmpty();
    assertThat(metric("Applications")).isZero();
    AppSchedulingInfo scheduled = scheduled(rm, am);
    assertThat(scheduled.getSchedulerKeys()).isEmpty();
    // The ResourceManager handles the ends of containers in its own threads.
    rm.rm().drainEvents();
    allocate(am, List.of(), List.of());
    assertThat(scheduled.getAllResourceRequests()).isEmpty();
    PluginContext plugin = Objects.requireNonNull(PluginContext.of(rm.rm().getRMContext()));
    assertThat(plugin.runTimes().running()).as("containers considered running").isZero();
    assertThat(plugin.locations().size())
        .as("cached locations, which are bounded")
        .isLessThan((int) (LocationCache.MAX_WEIGHT / 400));
  }

  /** The scheduler's asks of each key that it has: containers by name. */
  private static List<Map<String, Integer>> keysLeft(TestResourceManager rm, MockAM am, int asks) {
    AppSchedulingInfo scheduled = scheduled(rm, am);
    List<Map<String, Integer>> left = new ArrayList<>();
    for (int id = 0; id < asks; id++) {
      AppPlacementAllocator<SchedulerNode> own =
          scheduled.getAppPlacementAllocator(
              new SchedulerRequestKey(Priority.newInstance(1), id, null));
      if (own != null) {
        left.add(Asks.counts(List.copyOf(own.getResourceRequests().values())));
      }
    }
    return left;
  }

  private static AppSchedulingInfo scheduled(TestResourceManager rm, MockAM am) {
    AbstractYarnScheduler<?, ?> scheduler =
        (AbstractYarnScheduler<?, ?>) rm.rm().getResourceScheduler();
    return scheduler.getApplicationAttempt(am.getApplicationAttemptId()).getAppSchedulingInfo();
  }

  private static TestResourceManager start(boolean allocator, LocationLookup lookup) {
    TestResourceManager rm =
        new TestResourceManager(
            new TestResourceManager.Setup(
                TestResourceManager.configuration(false, allocator),
                ManualExecutor.immediate(),
                lookup,
                null));
    GenericTestUtils.setRootLogLevel(Level.WARN);
    rm.before.stop();
    rm.after.stop();
    return rm;
  }

  /** Withdraws a quarter of the asks at once, the others after their allocation. */
  private static void batch(TestResourceManager rm, MockAM am, int first) throws Exception {
    List<Container> allocated = new ArrayList<>(allocate(am, asks(first, 1, i -> true), List.of()));
    allocated.addAll(allocate(am, asks(first, 0, i -> i % 4 == 0), List.of()));
    int wanted = BATCH - (BATCH + 3) / 4;
    for (int i = 0; i < 30 && allocated.size() < wanted; i++) {
      rm.heartbeatNodes();
      allocated.addAll(allocate(am, List.of(), List.of()));
      rm.clock.advance(1_000);
    }
    assertThat(allocated).hasSize(wanted);
    List<ContainerId> ended = allocated.stream().map(Container::getId).toList();
    assertThat(allocate(am, asks(first, 0, i -> i % 4 != 0), ended)).isEmpty();
    assertThat(allocate(am, List.of(), List.of())).isEmpty();
  }

  private static List<ResourceRequest> asks(int first, int containers, IntPredicate which) {
    return IntStream.range(first, first + BATCH)
        .filter(which)
        .boxed()
        .flatMap(
            i ->
                List.of(ask(i, "weir:/in/part-" + i, containers), ask(i, "*", containers)).stream())
        .toList();
  }

  private static ResourceRequest ask(int id, String name, int containers) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(1))
        .allocationRequestId(id)
        .resourceName(name)
        .capability(Resource.newInstance(TestResourceManager.CONTAINER_MB, 1))
        .numContainers(containers)
        .build();
  }

  private static List<Container> allocate(
      MockAM am, List<ResourceRequest> asks, List<ContainerId> ended) throws Exception {
    return am.allocate(AllocateRequest.newInstance(0, 0, asks, ended, null))
        .getAllocatedContainers();
  }

  private static void report(int asks) {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "after %,d asks: %,d kB in the heap%n",
        asks, (runtime.totalMemory() - runtime.freeMemory()) / 1024);
  }
}
