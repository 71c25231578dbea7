package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ask.AskSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's own AMRMClient with a real ResourceManager. */
class AmRmClientTest {

  private static final long MB = 1024 * 1024;
  private static final Resource SIZE = Resource.newInstance(TestResourceManager.CONTAINER_MB, 1);

  private final ManualExecutor lookups = new ManualExecutor();
  private TestResourceManager rm;
  private LocalAmRmClient client;
  private MockAM am;

  @BeforeEach
  void start() throws Exception {
    rm = new TestResourceManager(false, lookups);
    am = rm.application("alice");
    Configuration conf = new Configuration(false);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    client = new LocalAmRmClient(am);
    client.init(conf);
    client.start();
  }

  @AfterEach
  void stop() {
    client.stop();
    rm.close();
  }

  @Test
  void theClientsDefaultRackIsRemoved() throws Exception {
    nodes(6, 2);
    rm.files.file("/data/a", Map.of("h5", MB));
    client.addContainerRequest(
        new ContainerRequest(
            SIZE, new String[] {"weir:%2Fdata%2Fa"}, null, Priority.newInstance(0)));

    client.allocate(0);
    assertThat(Asks.counts(rm.before.lastAsks()))
        .isEqualTo(Map.of("weir:%2Fdata%2Fa", 1, "/default-rack", 1, "*", 1));
    assertThat(Asks.counts(rm.after.lastAsks())).isEqualTo(Map.of("*", 0));
    lookups.runAll();
    client.allocate(0);

    assertThat(Asks.counts(rm.after.lastAsks())).isEqualTo(Map.of("h5", 1, "/r2", 1, "*", 1));
  }

  @Test
  void allAsksAreSentAgainAfterAFailover() throws Exception {
    nodes(6, 2);
    rm.files.file("/data/a", Map.of("h5", MB));
    rm.files.file("/data/b", Map.of("h2", MB));
    client.addContainerRequest(request(1, "weir:/data/a"));
    client.addContainerRequest(request(2, "weir:/data/b"));
    client.allocate(0);
    lookups.runAll();
    client.allocate(0);
    client.forgetRegistration();

    client.allocate(0);

    assertThat(rm.after.lastAsks()).hasSize(6);
    assertThat(Asks.counts(rm.after.lastAsks()))
        .isEqualTo(Map.of("h5", 1, "/r2", 1, "h2", 1, "/r1", 1, "*", 1));
    rm.heartbeatNodes();
    assertThat(client.allocate(0).getAllocatedContainers()).hasSize(2);
  }

  @Test
  void anUnreportedLostContainerIsReplacedElsewhere() throws Exception {
    nodes(2, 1);
    rm.files.file("/data/a", Map.of("h1", MB));
    client.addContainerRequest(request(0, "weir:/data/a"));
    client.allocate(0);
    lookups.runAll();
    client.allocate(0);
    rm.heartbeatNodes();
    assertThat(rm.pendingContainers(am)).isZero();
    rm.rm().sendNodeLost(rm.nodes.get(1));
    rm.rm().drainEvents();
    assertThat(rm.pendingContainers(am)).isEqualTo(1);
    rm.nodes.remove(1);

    List<Container> allocated = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rm.clock.advance(2_000);
      allocated.addAll(client.allocate(0).getAllocatedContainers());
      rm.heartbeatNodes();
    }

    assertThat(allocated)
        .extracting(container -> container.getNodeId().getHost())
        .containsOnly("h2")
        .hasSize(1);
  }

  /**
   * The application receives exactly as many containers as it requests, while requests are added,
   * withdrawn and located.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void exactlyTheRequestedContainersAreAllocated(long seed) throws Exception {
    Random random = new Random(seed);
    nodes(6, 40);
    for (int i = 0; i < 10; i++) {
      rm.files.file(
          "/f" + i, Map.of("h" + (1 + random.nextInt(4)), MB, "h" + (5 + random.nextInt(4)), MB));
    }
    List<ContainerRequest> open = new ArrayList<>();
    int requested = 0;
    int allocated = 0;
    for (int step = 0; step < 50 || !open.isEmpty(); step++) {
      assertThat(step).as("steps until all %d are allocated", requested).isLessThan(400);
      allocated += take(open);
      if (step < 50) {
        requested += change(random, open);
      }
      assertThat(client.allocate(0).getAllocatedContainers()).isEmpty();
      if (random.nextInt(3) == 0) {
        lookups.runAll();
      }
      rm.clock.advance(random.nextInt(1_000));
      rm.heartbeatNodes();
    }
    rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
    rm.heartbeatNodes();
    allocated += client.allocate(0).getAllocatedContainers().size();

    assertThat(allocated).isEqualTo(requested);
    assertThat(rm.pendingContainers(am)).isZero();
  }

  /** Adds and removes some requests; returns the difference. */
  private int change(Random random, List<ContainerRequest> open) {
    int before = open.size();
    for (int i = random.nextInt(3); i > 0; i--) {
      int key = random.nextInt(3);
      String name =
          switch (random.nextInt(6)) {
            case 0 -> "weir:/missing";
            case 1 -> "weir:%2Ff1,%2Ff2";
            default -> "weir:/f" + random.nextInt(10);
          };
      ContainerRequest request = random.nextInt(5) == 0 ? request(key) : request(key, name);
      open.add(request);
      client.addContainerRequest(request);
    }
    if (!open.isEmpty() && random.nextInt(3) == 0) {
      client.removeContainerRequest(open.remove(random.nextInt(open.size())));
    }
    return open.size() - before;
  }

  /**
   * Sends a heartbeat and removes the requests that it fulfilled. The next heartbeat must follow
   * before the scheduler allocates more; otherwise some requests would be fulfilled twice, also
   * without Weir.
   */
  private int take(List<ContainerRequest> open) throws Exception {
    List<Container> containers = client.allocate(0).getAllocatedContainers();
    for (Container container : containers) {
      Collection<ContainerRequest> matching =
          client
              .getMatchingRequests(
                  container.getPriority(), ResourceRequest.ANY, container.getResource())
              .stream()
              .flatMap(Collection::stream)
              .toList();
      ContainerRequest fulfilled = matching.iterator().next();
      client.removeContainerRequest(fulfilled);
      open.remove(fulfilled);
    }
    return containers.size();
  }

  private void nodes(int count, int containers) throws Exception {
    for (int i = 1; i <= count; i++) {
      rm.node("h" + i, i <= count / 2 ? "/r1" : "/r2", containers);
    }
  }

  private static ContainerRequest request(int priority, String... names) {
    return new ContainerRequest(SIZE, null, names, Priority.newInstance(priority));
  }
}
