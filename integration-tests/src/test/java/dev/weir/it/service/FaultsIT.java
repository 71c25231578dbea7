package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.VersionedSet;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.hints.store.ZooKeeperHintStore;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Something fails in the middle of many updates by eight clients of two instances of the service:
 * afterwards every hint that was acknowledged is in force. The cluster has two NameNodes, so it is
 * one of its own. {@code -Dweir.it.updates=1000} makes it a thousand.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
  private static final int UPDATES = Integer.getInteger("weir.it.updates", 250);
  private static final String USER = "alice";
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;
  private Storm storm;
  private String name;

  @BeforeAll
  void start() throws Exception {
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars)
            .nodes(2)
            .nameNodes(2)
            .hintServices(2)
            .configuration("weir.server.limits.sets-per-user", "100000")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("two NameNodes: " + step));
    files = new HdfsFiles(cluster);
    store = ZooKeeperHintStore.open(HintSettings.from(cluster.configuration()));
  }

  @AfterAll
  void stop() throws Exception {
    store.close();
    files.fs().close();
    cluster.close();
  }

  private void storm(TestInfo test) throws Exception {
    name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + name);
    files.fs().mkdirs(directory);
    files.fs().setOwner(directory, USER, USER);
    storm = new Storm(cluster.configuration(), cluster.hintServices(), name, USER, UPDATES);
    storm.begin();
  }

  @AfterEach
  void endStorm() {
    storm.close();
  }

  @Test
  void theLeaderIsKilled(TestInfo test) throws Exception {
    storm(test);
    storm.awaitPercent(25);
    String leader = leader();
    cluster.stopDaemon(leader);
    assertThat(storm.isUnderway()).isTrue();
    storm.awaitPercent(60);
    cluster.startDaemon(leader);
    storm.end();

    everyAcknowledgedHintIsInForce();
  }

  @Test
  void zooKeeperIsRestarted(TestInfo test) throws Exception {
    storm(test);
    storm.awaitPercent(30);
    cluster.stopDaemon("zookeeper");
    assertThat(storm.isUnderway()).isTrue();
    cluster.startDaemon("zookeeper");
    storm.end();

    everyAcknowledgedHintIsInForce();
  }

  @Test
  void theNameNodeIsRestarted(TestInfo test) throws Exception {
    storm(test);
    storm.awaitPercent(30);
    String active = active();
    cluster.stopDaemon(active);
    assertThat(storm.isUnderway()).isTrue();
    cluster.startDaemon(active);
    assertThat(active()).isEqualTo(active);
    storm.end();

    everyAcknowledgedHintIsInForce();
  }

  @Test
  void theOtherNameNodeTakesOverFromOneThatDied(TestInfo test) throws Exception {
    storm(test);
    storm.awaitPercent(30);
    String active = active();
    cluster.stopDaemon(active);
    assertThat(storm.isUnderway()).isTrue();
    assertThat(cluster.failover()).isNotEqualTo(active);
    storm.end();
    cluster.startDaemon(active);

    everyAcknowledgedHintIsInForce();
  }

  @Test
  void theNameNodesChangeOver(TestInfo test) throws Exception {
    storm(test);
    storm.awaitPercent(30);
    cluster.failover();
    assertThat(storm.isUnderway()).isTrue();
    storm.awaitPercent(60);
    cluster.failover();
    storm.end();

    everyAcknowledgedHintIsInForce();
  }

  private void everyAcknowledgedHintIsInForce() throws Exception {
    System.out.println(name + ": " + storm.repeated() + " updates were sent again");
    Map<String, List<String>> expected = storm.inForce();
    assertThat(expected.values().stream().mapToInt(List::size).sum()).isGreaterThan(UPDATES / 2);
    for (Map.Entry<String, List<String>> set : expected.entrySet()) {
      HintSet stored = store.find(set.getKey()).map(StoredSet::set).orElseThrow();
      assertThat(patterns(stored)).as(set.getKey()).containsAll(set.getValue());
    }
    for (URI service : cluster.hintServices()) {
      everyOneIsRead(service, expected);
    }
    filesArePlacedByThem(expected);
  }

  /** By that instance of the service. */
  private void everyOneIsRead(URI service, Map<String, List<String>> expected) throws IOException {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(USER);
    try (HintsClient client =
        HintsClient.open(cluster.configuration(), ClientSettings.of(List.of(service)), user)) {
      for (Map.Entry<String, List<String>> set : expected.entrySet()) {
        VersionedSet found = client.findSet(set.getKey()).orElseThrow();
        assertThat(patterns(found.set())).as(set.getKey()).containsAll(set.getValue());
      }
    }
  }

  /** A file of each kind, in fact. */
  private void filesArePlacedByThem(Map<String, List<String>> expected) throws Exception {
    // A NameNode may have to see a first block before it follows the hints.
    files.put("n1", local("first-" + name), "/" + name);
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                store.watchers().stream()
                    .filter(watcher -> watcher.role().equals(HintStore.ROLE_NAMENODE))
                    .mapToLong(WatcherInfo::version)
                    .max()
                    .orElse(0),
            version -> version >= storm.version());
    for (String kind : List.of("new-0", "shared-1", "own-3")) {
      List<String> paths = expected.get(name + "-" + kind);
      String path = paths.get(paths.size() - 1);
      files.put("n2", local(path.substring(path.lastIndexOf('/') + 1)), "/" + name);
      assertThat(files.replication(path)).as(path).isEqualTo(1);
      assertThat(files.hosts(path)).as(path).containsExactly("n2");
    }
    assertThat(files.replication("/" + name + "/first-" + name)).isEqualTo(2);
  }

  private static List<String> patterns(HintSet set) {
    return set.rules().stream().map(rule -> rule.pattern().toString()).toList();
  }

  private String active() {
    String active = cluster.status().activeNameNode();
    assertThat(active).isNotNull();
    return active;
  }

  /** The daemon that leads. */
  private String leader() throws IOException {
    List<URI> services = cluster.hintServices();
    for (int i = 0; i < services.size(); i++) {
      UserGroupInformation user = UserGroupInformation.createRemoteUser(USER);
      try (HintsClient client =
          HintsClient.open(
              cluster.configuration(), ClientSettings.of(List.of(services.get(i))), user)) {
        if (client.status().leader()) {
          return i == 0 ? "hints" : "hints" + (i + 1);
        }
      }
    }
    throw new AssertionError("none of " + services + " leads");
  }

  private Path local(String file) throws Exception {
    return Files.write(folder.resolve(file), new byte[300_000]);
  }
}
