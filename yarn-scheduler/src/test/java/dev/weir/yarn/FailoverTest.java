package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.Containers.hosts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.AskSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.AdminService;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failovers between two ResourceManagers with one state store. */
class FailoverTest {

  private static final StateChangeRequestInfo REQUEST =
      new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);
  private static final long MB = 1024 * 1024;

  @TempDir private Path store;
  private final ManualExecutor lookups = new ManualExecutor();

  @Test
  void anApplicationKeepsContainersAndAsksAcrossFailovers() throws Exception {
    try (TestResourceManager one = standby("rm1");
        TestResourceManager two = standby("rm2")) {
      admin(one).transitionToActive(REQUEST);
      addFiles(one);
      addFiles(two);
      for (int i = 1; i <= 4; i++) {
        one.node("h" + i, i <= 2 ? "/r1" : "/r2", 8);
      }
      MockAM am = one.application("alice");
      List<Container> running = new ArrayList<>(allocateNear(one, am, "/data/a"));

      allocate(am, asks("/data/b"));
      failover(one, two, running, am);
      await().atMost(Duration.ofSeconds(60)).until(() -> one.files.closed.get() == 1);
      assertThat(allocate(am, asks("/data/b"))).isEmpty();
      running.addAll(awaitContainer(two, am));
      assertThat(hosts(running)).containsExactly("h3", "h2");

      failover(two, one, running, am);
      running.addAll(allocateNear(one, am, "/data/a"));
      assertThat(hosts(running)).containsExactly("h3", "h2", "h3");
      one.clock.advance(2 * AskSettings.DEFAULT_WAIT_MAX);
      one.heartbeatNodes();
      assertThat(allocate(am, List.of())).isEmpty();
      assertThat(one.pendingContainers(am)).isZero();
      assertThat(one.files.closed).as("lookups closed; the active one is open").hasValue(1);
    }
  }

  private TestResourceManager standby(String id) {
    Configuration conf = AskSequencesTest.recovering(true);
    conf.set(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class.getName());
    conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, store.toUri().toString());
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
    conf.set(YarnConfiguration.RM_CLUSTER_ID, "test");
    conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
    conf.set(YarnConfiguration.RM_HA_ID, id);
    for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
      // No server listens there, but each address must be different.
      conf.set(HAUtil.addSuffix(key, "rm1"), "127.0.0.1:1");
      conf.set(HAUtil.addSuffix(key, "rm2"), "127.0.0.1:2");
    }
    return new TestResourceManager(new TestResourceManager.Setup(conf, lookups));
  }

  private static void addFiles(TestResourceManager rm) {
    rm.files.file("/data/a", Map.of("h3", 100 * MB)).file("/data/b", Map.of("h2", 100 * MB));
  }

  private static void failover(
      TestResourceManager from, TestResourceManager to, List<Container> running, MockAM am)
      throws Exception {
    admin(from).transitionToStandby(REQUEST);
    admin(to).transitionToActive(REQUEST);
    to.adopt(from.nodes, running, am);
  }

  /** Requests one container near a file, and withdraws the ask after its allocation. */
  private List<Container> allocateNear(TestResourceManager rm, MockAM am, String path)
      throws Exception {
    assertThat(allocate(am, asks(path))).isEmpty();
    List<Container> awaitContainer = awaitContainer(rm, am);
    allocate(am, Asks.named("weir:" + path, 0));
    return awaitContainer;
  }

  private List<Container> awaitContainer(TestResourceManager rm, MockAM am) throws Exception {
    lookups.runAll();
    List<Container> awaitContainer = new ArrayList<>(allocate(am, List.of()));
    rm.heartbeatNodes();
    awaitContainer.addAll(allocate(am, List.of()));
    return awaitContainer;
  }

  private static List<ResourceRequest> asks(String path) {
    return Asks.named("weir:" + path, 1);
  }

  private static AdminService admin(TestResourceManager rm) {
    return rm.rm().getRMContext().getRMAdminService();
  }
}
