package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.during;
import static dev.weir.yarn.Containers.hosts;
import static dev.weir.yarn.Containers.sixNodes;
import static dev.weir.yarn.Containers.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.AskSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asks to a restarted ResourceManager that allocates nothing yet, because NodeManagers are still
 * registering.
 */
class RestartTest {

  private static final long MB = 1024 * 1024;
  private static final int WAIT_MILLIS = 3_600_000;

  @ParameterizedTest(name = "allocator: {0}")
  @ValueSource(booleans = {false, true})
  void asksSentBeforeTheNodesRegisterAreLocal(boolean allocator) throws Exception {
    try (TestResourceManager one = start(allocator)) {
      one.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = one.application("alice");
      sixNodes(one, 1);
      try (TestResourceManager two = one.successor()) {
        two.adopt(am);
        assertThat(allocate(am, Asks.named("weir:/data/a", 1))).isEmpty();
        two.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
        assertThat(allocate(am, List.of())).isEmpty();
        two.adoptNodes(one.nodes, List.of(), am);
        assertThat(during(two, am, List.of(), 2)).isEmpty();
        endRegistration(two);
        // Lets the snapshot of the nodes expire.
        two.clock.advance(1_000);

        assertThat(hosts(until(two, am, List.of(), 1))).containsExactly("h3");
        assertThat(two.pendingContainers(am)).isZero();
      }
    }
  }

  @Test
  void aStrictRackOfTheApplicationStays() throws Exception {
    try (TestResourceManager one = start(true)) {
      one.files.file("/data/a", Map.of("h1", 100 * MB));
      MockAM am = one.application("alice");
      sixNodes(one, 1);
      try (TestResourceManager two = one.successor()) {
        two.adopt(am);
        ResourceRequest strict = Asks.ask("*", 1);
        strict.setRelaxLocality(false);
        allocate(am, List.of(Asks.ask("weir:/data/a", 1), Asks.ask("/r2", 1), strict));
        List<MockNM> others =
            one.nodes.stream().filter(node -> !"/r2".equals(rack(one, node))).toList();
        two.adoptNodes(others, List.of(), am);
        endRegistration(two);

        // The plugin must not have added the file's node, which is in the other rack.
        two.heartbeatNodes();
        assertThat(two.pendingContainers(am)).isEqualTo(1);
      }
    }
  }

  @Test
  void aNodeThatRegistersAfterTheAskIsAdded() throws Exception {
    try (TestResourceManager rm = start(true)) {
      rm.files.file("/data/a", Map.of("h3", 100 * MB));
      MockAM am = rm.application("alice");
      assertThat(during(rm, am, Asks.named("weir:/data/a", 1), 2)).isEmpty();
      rm.clock.advance(1_000);
      rm.node("h3", "/r1", 1);
      assertThat(allocate(am, List.of())).isEmpty();
      rm.node("h1", "/r1", 1);

      assertThat(
              Asks.counts(
                  rm.rm()
                      .getResourceScheduler()
                      .getPendingResourceRequestsForAttempt(am.getApplicationAttemptId())))
          .containsEntry("h3", 1);
      assertThat(hosts(until(rm, am, List.of(), 1))).containsExactly("h3");
    }
  }

  private static String rack(TestResourceManager rm, MockNM node) {
    return Objects.requireNonNull(rm.rm().getRMContext().getRMNodes().get(node.getNodeId()))
        .getRackName();
  }

  private static TestResourceManager start(boolean allocator) {
    Configuration conf = AskSequencesTest.recovering(allocator);
    conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, WAIT_MILLIS);
    return new TestResourceManager(new TestResourceManager.Setup(conf, ManualExecutor.immediate()));
  }

  /** Ends the time in which the ResourceManager allocates nothing. */
  private static void endRegistration(TestResourceManager rm) {
    ((RMContextImpl) rm.rm().getRMContext())
        .setSystemClock(() -> System.currentTimeMillis() + 2 * WAIT_MILLIS);
  }
}
