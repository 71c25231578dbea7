package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.HintSet;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.VersionedSet;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.HintServices;
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
 * A fault occurs during many updates by eight clients of two instances of the service. Afterwards
 * every acknowledged hint must be in force. The tests have their own cluster, with two NameNodes.
 * {@code -Dweir.it.updates=1000} sets the number of updates.
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
  private ConcurrentUpdates updates;
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
    store = HdfsFiles.openHints(cluster);
  }

  @AfterAll
  void stop() throws Exception {
    store.close();
    files.fs().close();
    cluster.close();
  }

  private void startUpdates(TestInfo test) throws Exception {
    name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + name);
    files.fs().mkdirs(directory);
    files.fs().setOwner(directory, USER, USER);
    updates =
        new ConcurrentUpdates(cluster.configuration(), cluster.hintServices(), name, USER, UPDATES);
    updates.begin();
  }

  @AfterEach
  void closeUpdates() {
    updates.close();
  }

  @Test
  void hintsSurviveAKilledLeader(TestInfo test) throws Exception {
    startUpdates(test);
    updates.awaitPercent(25);
    String leader = HintServices.leader(cluster);
    cluster.stopDaemon(leader);
    assertThat(updates.isRunning()).isTrue();
    updates.awaitPercent(60);
    cluster.startDaemon(leader);
    updates.end();

    assertAcknowledgedHintsInForce();
  }

  @Test
  void hintsSurviveAZooKeeperRestart(TestInfo test) throws Exception {
    startUpdates(test);
    updates.awaitPercent(30);
    cluster.stopDaemon("zookeeper");
    assertThat(updates.isRunning()).isTrue();
    cluster.startDaemon("zookeeper");
    updates.end();

    assertAcknowledgedHintsInForce();
  }

  @Test
  void hintsSurviveANameNodeRestart(TestInfo test) throws Exception {
    startUpdates(test);
    updates.awaitPercent(30);
    String active = active();
    cluster.stopDaemon(active);
    assertThat(updates.isRunning()).isTrue();
    cluster.startDaemon(active);
    assertThat(active()).isEqualTo(active);
    updates.end();

    assertAcknowledgedHintsInForce();
  }

  @Test
  void hintsSurviveAFailoverAfterANameNodeDied(TestInfo test) throws Exception {
    startUpdates(test);
    updates.awaitPercent(30);
    String active = active();
    cluster.stopDaemon(active);
    assertThat(updates.isRunning()).isTrue();
    assertThat(cluster.failover()).isNotEqualTo(active);
    updates.end();
    cluster.startDaemon(active);

    assertAcknowledgedHintsInForce();
  }

  @Test
  void hintsSurviveFailovers(TestInfo test) throws Exception {
    startUpdates(test);
    updates.awaitPercent(30);
    cluster.failover();
    assertThat(updates.isRunning()).isTrue();
    updates.awaitPercent(60);
    cluster.failover();
    updates.end();

    assertAcknowledgedHintsInForce();
  }

  private void assertAcknowledgedHintsInForce() throws Exception {
    System.out.println(name + ": " + updates.retries() + " updates were retried");
    Map<String, List<String>> expected = updates.inForce();
    assertThat(expected.values().stream().mapToInt(List::size).sum()).isGreaterThan(UPDATES / 2);
    for (Map.Entry<String, List<String>> set : expected.entrySet()) {
      HintSet stored = store.find(set.getKey()).map(StoredSet::set).orElseThrow();
      assertThat(patterns(stored)).as(set.getKey()).containsAll(set.getValue());
    }
    for (URI service : cluster.hintServices()) {
      assertServedBy(service, expected);
    }
    assertFilesPlaced(expected);
  }

  /** Reads every hint from an instance of the service. */
  private void assertServedBy(URI service, Map<String, List<String>> expected) throws IOException {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(USER);
    try (HintsClient client =
        HintsClient.open(cluster.configuration(), ClientSettings.of(List.of(service)), user)) {
      for (Map.Entry<String, List<String>> set : expected.entrySet()) {
        VersionedSet found = client.findSet(set.getKey()).orElseThrow();
        assertThat(patterns(found.set())).as(set.getKey()).containsAll(set.getValue());
      }
    }
  }

  /** Checks the placement of one file of each kind. */
  private void assertFilesPlaced(Map<String, List<String>> expected) throws Exception {
    // A NameNode may load hints only at its first new block.
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
            version -> version >= updates.version());
    for (String kind : List.of("new-0", "shared-1", "own-3")) {
      List<String> paths = expected.get(name + "-" + kind);
      String path = paths.get(paths.size() - 1);
      files.awaitRule(path);
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

  private Path local(String file) throws Exception {
    return Files.write(folder.resolve(file), new byte[300_000]);
  }
}
