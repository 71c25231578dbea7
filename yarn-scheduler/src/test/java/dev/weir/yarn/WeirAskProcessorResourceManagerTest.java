package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.during;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static dev.weir.yarn.ShownMetrics.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.lookup.FilesResourceName;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processor in a real ResourceManager. */
class WeirAskProcessorResourceManagerTest {

  private static final long MB = 1024 * 1024;

  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void containersGoToTheNodesOfTheirFiles(boolean asynchronous) throws Exception {
    try (TestResourceManager rm =
        new TestResourceManager(asynchronous, ManualExecutor.immediate())) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      rm.files.file("/data/b", Map.of("h5", 100 * MB, "h1", MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);

      List<ResourceRequest> asks =
          List.of(
              Asks.ask("weir:/data/a", 1),
              Asks.ask("weir:/data/b", 1),
              Asks.ask("/default-rack", 2),
              Asks.ask("*", 2));

      assertThat(hosts(until(rm, am, asks, 2))).containsExactlyInAnyOrder("h3", "h5");
      assertThat(rm.files.askedBy).containsOnly("alice");
    }
  }

  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void aContainerWaitsForItsNodeThenGoesElsewhere(boolean asynchronous) throws Exception {
    try (TestResourceManager rm =
        new TestResourceManager(asynchronous, ManualExecutor.immediate())) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 1);
      assertThat(hosts(until(rm, am, Asks.named("weir:/data/a", 1), 1))).containsOnly("h3");

      List<Container> second = during(rm, am, Asks.named("weir:/data/a", 1), 5);
      assertThat(second).isEmpty();
      rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);

      assertThat(hosts(until(rm, am, List.of(), 1))).hasSize(1).doesNotContain("h3");
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void asksWithoutFilesPassUnchanged(boolean asynchronous) throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = new TestResourceManager(asynchronous, lookups)) {
      MockAM hinted = rm.application("alice");
      MockAM plain = rm.application("bob");
      sixNodes(rm, 4);
      allocate(hinted, Asks.named("weir:/data/a", 1));
      int seen = rm.before.requests.size();
      List<ResourceRequest> asks = List.of(Asks.ask("h2", 1), Asks.ask("/r1", 1), Asks.ask("*", 3));

      assertThat(until(rm, plain, asks, 3)).hasSize(3);

      assertThat(rm.after.requests).hasSameSizeAs(rm.before.requests);
      for (int i = seen; i < rm.before.requests.size(); i++) {
        assertThat(rm.after.requests.get(i)).isSameAs(rm.before.requests.get(i));
        assertThat(rm.after.asks.get(i)).isEqualTo(rm.before.asks.get(i));
        assertThat(rm.after.live.get(i)).hasSameSizeAs(rm.before.live.get(i));
        for (int j = 0; j < rm.before.live.get(i).size(); j++) {
          assertThat(rm.after.live.get(i).get(j)).isSameAs(rm.before.live.get(i).get(j));
        }
      }
    }
  }

  /** The scheduler would take containers back, because a node's ask is for fewer. */
  @Test
  void fileNamesAreRemovedIfTheSchedulerAutocorrects() throws Exception {
    Configuration conf = TestResourceManager.configuration(false, true);
    conf.setBoolean("yarn.resourcemanager.scheduler.autocorrect.container.allocation", true);
    try (TestResourceManager rm =
        new TestResourceManager(new TestResourceManager.Setup(conf, ManualExecutor.immediate()))) {
      MockAM am = rm.application("alice");
      allocate(am, Asks.named("weir:/data/a", 2));

      assertThat(
              rm.rm()
                  .getResourceScheduler()
                  .getPendingResourceRequestsForAttempt(am.getApplicationAttemptId()))
          .extracting(ResourceRequest::getResourceName)
          .containsExactlyInAnyOrder("*", "/default-rack");
      sixNodes(rm, 4);
      assertThat(until(rm, am, List.of(), 2)).hasSize(2);
    }
  }

  @Test
  void missingFilesDelayNoContainer() throws Exception {
    try (TestResourceManager rm = new TestResourceManager(false, ManualExecutor.immediate())) {
      rm.files.file("/secret", Map.of("h1", MB)).readableOnlyBy("root", "/secret");
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);

      assertThat(until(rm, am, Asks.named("weir:/nowhere", 2), 2)).hasSize(2);
      assertThat(until(rm, am, Asks.named("weir:/secret", 2), 2)).hasSize(2);
      assertThat(until(rm, am, Asks.named("weir:not absolute", 2), 2)).hasSize(2);
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @Test
  void anUnresponsiveFileSystemDelaysContainersForABoundedTime() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = new TestResourceManager(false, lookups)) {
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);

      List<Container> allocated = during(rm, am, Asks.named("weir:/data/a", 2), 3);
      assertThat(allocated).isEmpty();
      rm.clock.advance(AskSettings.DEFAULT_HOLD);

      assertThat(until(rm, am, List.of(), 2)).hasSize(2);
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @Test
  void aTimelyAnswerIsUsedInTheNextHeartbeat() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = new TestResourceManager(false, lookups)) {
      rm.files.file("/data/a", Map.of("h6", MB));
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);
      allocate(am, Asks.named("weir:/data/a", 2));
      rm.heartbeatNodes();
      lookups.runAll();

      assertThat(hosts(until(rm, am, List.of(), 2))).containsExactly("h6", "h6");
    }
  }

  @Test
  void aLateAnswerIsUsedForPendingContainers() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = new TestResourceManager(false, lookups)) {
      rm.files.file("/data/a", Map.of("h6", MB));
      MockAM am = rm.application("alice");
      allocate(am, Asks.named("weir:/data/a", 2));
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      allocate(am, List.of());
      assertThat(rm.pendingContainers(am)).isEqualTo(2);
      lookups.runAll();
      sixNodes(rm, 4);
      rm.clock.advance(1_000);
      allocate(am, List.of());

      assertThat(Asks.counts(rm.after.lastAsks())).isEqualTo(Map.of("h6", 2, "/r2", 2));
      assertThat(until(rm, am, List.of(), 2)).hasSize(2);
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @Test
  void cancelledAsksLeaveNoState() throws Exception {
    ManualExecutor lookups = new ManualExecutor();
    try (TestResourceManager rm = new TestResourceManager(false, lookups)) {
      rm.files.file("/data/a", Map.of("h6", MB));
      MockAM am = rm.application("alice");
      allocate(am, Asks.named("weir:/data/a", 3));
      allocate(am, Asks.named("weir:/data/a", 0));
      lookups.runAll();
      allocate(am, Asks.named("weir:/data/a", 3));
      assertThat(rm.pendingContainers(am)).isEqualTo(3);
      allocate(am, Asks.named("weir:/data/a", 0));
      sixNodes(rm, 4);
      rm.heartbeatNodes();

      assertThat(allocate(am, List.of())).isEmpty();
      assertThat(rm.pendingContainers(am)).isZero();
    }
  }

  @Test
  void anInternalErrorFailsNoHeartbeat() throws Exception {
    boolean[] broken = {false};
    try (TestResourceManager rm =
        new TestResourceManager(
            false,
            task -> {
              if (broken[0]) {
                throw new IllegalStateException("broken");
              }
            })) {
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);
      assertThat(allocate(am, Asks.named("weir:/elsewhere/held", 1))).isEmpty();
      assertThat(rm.pendingContainers(am)).isZero();
      broken[0] = true;

      List<ResourceRequest> asks =
          List.of(Asks.ask(2, "weir:/b", 2), Asks.ask(2, "/default-rack", 2), Asks.ask(2, "*", 2));
      assertThat(until(rm, am, asks, 3)).hasSize(3);
      assertThat(rm.after.asks).noneMatch(WeirAskProcessorResourceManagerTest::namesFiles);
    }
  }

  @Test
  void anInvalidAskIsRefusedAsInStockYarn() throws Exception {
    try (TestResourceManager rm = new TestResourceManager(false, new ManualExecutor())) {
      MockAM am = rm.application("alice");
      sixNodes(rm, 4);
      List<ResourceRequest> asks = Asks.named("weir:/data/a", 1);
      asks.forEach(ask -> ask.setCapability(Resource.newInstance(1 << 30, 1)));

      assertThatThrownBy(() -> allocate(am, asks)).hasMessageContaining("Invalid resource request");
      assertThat(allocate(am, List.of())).isEmpty();
    }
  }

  @Test
  void theLookupIsPreparedAtStart() {
    try (TestResourceManager rm = new TestResourceManager(false, ManualExecutor.immediate())) {
      await().until(() -> rm.files.prepared.get() == 1);
    }
  }

  @Test
  void metricsArePublishedAfterASecondActivation() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (TestResourceManager rm = new TestResourceManager(false, ManualExecutor.immediate())) {
        MockAM am = rm.application("alice");
        allocate(am, Asks.named("weir:/nowhere", 1));
        assertThat(metric("AsksAnywhere")).isEqualTo(1);
      }
    }
  }

  private static boolean namesFiles(List<ResourceRequest> asks) {
    return asks.stream().anyMatch(ask -> FilesResourceName.is(ask.getResourceName()));
  }
}
