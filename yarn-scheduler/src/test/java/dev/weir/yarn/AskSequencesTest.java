package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.lookup.LookupThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application receives exactly as many containers as it requests, for random sequences of
 * additions, withdrawals, blacklist changes, lookups and restarts of the ResourceManager. {@code
 * -Dweir.sequences=1000} runs more sequences, from {@code -Dweir.fuzz.seed=N}.
 */
class AskSequencesTest {

  private static final int SEQUENCES = Integer.getInteger("weir.sequences", 5);
  private static final long SEED = Long.getLong("weir.fuzz.seed", 1);
  private static final long MB = 1024 * 1024;
  private static final int STEPS = 40;
  private static final int KEYS = 4;

  private final ManualExecutor lookups = new ManualExecutor();
  private final Map<Long, AskModel> done = new HashMap<>();

  /** One application, its ResourceManager, and the state that it has sent. */
  private static final class Run {
    private TestResourceManager rm;
    private final MockAM am;
    private final Random random;
    private final AskModel model = new AskModel();
    private final Set<String> blacklist = new HashSet<>();

    Run(TestResourceManager rm, MockAM am, Random random) {
      this.rm = rm;
      this.am = am;
      this.random = random;
    }
  }

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void exactlyTheRequestedContainersAreAllocated(boolean allocator) throws Exception {
    Configuration conf = TestResourceManager.configuration(false, allocator);
    try (TestResourceManager rm =
        new TestResourceManager(new TestResourceManager.Setup(conf, lookups))) {
      nodes(rm, 60);
      for (long seed = SEED; seed < SEED + SEQUENCES; seed++) {
        Random random = new Random(seed);
        files(rm, random);
        Run run = new Run(rm, rm.application("user" + seed % 3), random);
        for (int step = 0; step < STEPS; step++) {
          step(run, seed);
        }
        finish(run, seed);
      }
      assertThat(done).hasSize(SEQUENCES);
    }
  }

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void exactlyTheRequestedContainersAreAllocatedAcrossRestarts(boolean allocator) throws Exception {
    for (long seed = SEED; seed < SEED + Math.max(1, SEQUENCES / 4); seed++) {
      Random random = new Random(seed);
      TestResourceManager first =
          new TestResourceManager(new TestResourceManager.Setup(recovering(allocator), lookups));
      try {
        nodes(first, 60);
        files(first, random);
        Run run = new Run(first, first.application("alice"), random);
        for (int step = 0; step < STEPS; step++) {
          if (step % 15 == 14) {
            run.rm = run.rm.restart(run.am, run.model.running());
            first = run.rm;
            assertThat(allocate(run, run.model.all(), List.of(), resentBlacklist(run))).isEmpty();
          }
          step(run, seed);
        }
        finish(run, seed);
      } finally {
        first.close();
      }
    }
  }

  /**
   * With asynchronous scheduling, YARN may allocate more between a response and the next ask, also
   * without Weir. So this test requests more only after it has received all.
   */
  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void exactlyTheRequestedContainersAreAllocatedAsynchronously(boolean allocator) throws Exception {
    Configuration conf = TestResourceManager.configuration(true, allocator);
    try (TestResourceManager rm =
        new TestResourceManager(new TestResourceManager.Setup(conf, LookupThreads.create()))) {
      nodes(rm, 60);
      Random random = new Random(SEED);
      files(rm, random);
      Run run = new Run(rm, rm.application("alice"), random);
      for (int batch = 0; batch < STEPS / 4; batch++) {
        addSome(run);
        List<ResourceRequest> asks = run.model.changes();
        List<Container> allocated = new ArrayList<>(allocate(run, asks, List.of(), null));
        int wanted = run.model.open().size();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> {
                  rm.heartbeatNodes();
                  rm.clock.advance(500);
                  allocated.addAll(allocate(run, List.of(), List.of(), null));
                  return allocated.size() >= wanted;
                });
        allocated.forEach(run.model::take);
      }
      finish(run, SEED);
    }
  }

  private void step(Run run, long seed) throws Exception {
    for (Container container : allocate(run, List.of(), List.of(), null)) {
      assertThat(run.blacklist).as("seed %d", seed).doesNotContain(container.getNodeId().getHost());
      run.model.take(container);
    }
    // No node sends a heartbeat between two steps, so nothing can be allocated here.
    change(run);
    List<Container> ended =
        run.model.running().stream().filter(container -> run.random.nextInt(4) == 0).toList();
    ended.forEach(run.model::ended);
    List<ContainerId> releases = ended.stream().map(Container::getId).toList();
    assertThat(allocate(run, run.model.changes(), releases, blacklisting(run)))
        .as("seed %d", seed)
        .isEmpty();
    if (run.random.nextInt(3) == 0) {
      lookups.runAll();
    }
    run.rm.clock.advance(run.random.nextInt(1_000));
    run.rm.heartbeatNodes();
  }

  /** Waits for open requests; then nothing more may be allocated or left in the scheduler. */
  private void finish(Run run, long seed) throws Exception {
    for (int i = 0; i < 200 && !run.model.open().isEmpty(); i++) {
      allocate(run, List.of(), List.of(), null).forEach(run.model::take);
      allocate(run, run.model.changes(), List.of(), null).forEach(run.model::take);
      run.rm.clock.advance(1_000);
      run.rm.heartbeatNodes();
    }
    run.rm.clock.advance(2 * AskSettings.DEFAULT_WAIT_MAX);
    lookups.runAll();
    allocate(run, run.model.changes(), List.of(), null).forEach(run.model::take);
    run.rm.heartbeatNodes();

    assertThat(allocate(run, List.of(), List.of(), null)).as("seed %d", seed).isEmpty();
    assertThat(run.model.open()).as("seed %d", seed).isEmpty();
    assertThat(run.model.given()).as("seed %d", seed).isEqualTo(run.model.asked());
    assertThat(run.rm.pendingContainers(run.am)).as("seed %d", seed).isZero();
    assertThat(
            run.rm
                .rm()
                .getResourceScheduler()
                .getPendingResourceRequestsForAttempt(run.am.getApplicationAttemptId()))
        .as("names that are still asked for, seed %d", seed)
        .allMatch(ask -> ask.getNumContainers() == 0);
    List<ContainerId> all = run.model.running().stream().map(Container::getId).toList();
    allocate(run, List.of(), all, null);
    done.put(seed, run.model);
  }

  private void change(Run run) {
    addSome(run);
    List<AskModel.WantedContainer> open = run.model.open();
    if (!open.isEmpty() && run.random.nextInt(3) == 0) {
      run.model.withdraw(open.get(run.random.nextInt(open.size())));
    }
    if (run.random.nextInt(12) == 0) {
      int key = run.random.nextInt(KEYS);
      open.stream().filter(wanted -> wanted.key() == key).forEach(run.model::withdraw);
    }
  }

  private static void addSome(Run run) {
    for (int i = run.random.nextInt(4); i > 0; i--) {
      run.model.ask(new AskModel.WantedContainer(run.random.nextInt(KEYS), names(run.random)));
    }
  }

  private static List<String> names(Random random) {
    int host = 1 + random.nextInt(6);
    String rack = host <= 3 ? "/r1" : "/r2";
    String file = "weir:/f" + random.nextInt(10);
    return switch (random.nextInt(10)) {
      case 0 -> List.of();
      case 1 -> List.of("h" + host, rack);
      case 2 -> List.of(file, "h" + host, rack);
      case 3 -> List.of("weir:/missing");
      case 4 -> List.of("weir:%2Ff1,%2Ff2", "/default-rack");
      case 5 -> List.of("weir:not a path");
      default -> List.of(file);
    };
  }

  /** Occasionally blacklists up to two of six nodes. */
  private static ResourceBlacklistRequest blacklisting(Run run) {
    String host = "h" + (1 + run.random.nextInt(6));
    if (run.blacklist.remove(host)) {
      return ResourceBlacklistRequest.newInstance(List.of(), List.of(host));
    }
    if (run.blacklist.size() < 2 && run.random.nextInt(5) == 0) {
      run.blacklist.add(host);
      return ResourceBlacklistRequest.newInstance(List.of(host), List.of());
    }
    return ResourceBlacklistRequest.newInstance(List.of(), List.of());
  }

  private static ResourceBlacklistRequest resentBlacklist(Run run) {
    return ResourceBlacklistRequest.newInstance(List.copyOf(run.blacklist), List.of());
  }

  private static List<Container> allocate(
      Run run,
      List<ResourceRequest> asks,
      List<ContainerId> releases,
      @Nullable ResourceBlacklistRequest blacklist)
      throws Exception {
    return run.am
        .allocate(AllocateRequest.newInstance(0, 0, asks, releases, blacklist))
        .getAllocatedContainers();
  }

  private static void files(TestResourceManager rm, Random random) {
    for (int i = 0; i < 10; i++) {
      rm.files.file(
          "/f" + i,
          Map.of(
              "h" + (1 + random.nextInt(4)), (1 + random.nextInt(400)) * MB,
              "h" + (5 + random.nextInt(4)), (1 + random.nextInt(400)) * MB));
    }
  }

  private static void nodes(TestResourceManager rm, int containers) throws Exception {
    for (int i = 1; i <= 6; i++) {
      rm.node("h" + i, i <= 3 ? "/r1" : "/r2", containers);
    }
  }

  static Configuration recovering(boolean allocator) {
    Configuration conf = TestResourceManager.configuration(false, allocator);
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    conf.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
    return conf;
  }
}
