package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.process.DaemonStatus;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import dev.weir.it.NodeSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Changes the placement policy of a running NameNode. */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
class ReconfigurationIT {
  private static final String KEY = "dfs.block.replicator.classname";
  private static final String STOCK =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";
  private static final String DIRECTORY = "/reconfigured";
  private static final String SET = "reconfiguration-it";
  private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    files = new HdfsFiles(shared);
    store = HdfsFiles.openHints(shared);
  }

  @AfterEach
  void close() throws Exception {
    store.remove(SET);
    store.close();
    files.fs().delete(new org.apache.hadoop.fs.Path(DIRECTORY), true);
    files.fs().close();
  }

  @Test
  void hintsAreFollowedWhileThePolicyIsActive() throws Exception {
    WatcherInfo atStart = nameNodes().get(0);
    hint();
    List<String> anchor = hosts("first", "n1");
    assertAllOn(anchor, "before");

    NodeSettings stock = NodeSettings.change(cluster, "master", Map.of(KEY, STOCK));
    try {
      reconfigure();
      for (String node : NODES) {
        assertThat(hosts("stock", node)).as("stock placement").containsExactly(node);
      }
      assertPolicyIsClosed();
    } finally {
      stock.close();
      reconfigure();
    }

    await().atMost(DEADLINE).untilAsserted(() -> assertThat(nameNodes()).hasSize(1));
    assertThat(nameNodes().get(0).host()).isEqualTo(atStart.host());
    hint();
    assertAllOn(anchor, "after");
  }

  private void hint() throws Exception {
    Rule rule =
        new Rule(PathPattern.parse(DIRECTORY + "/**"), HintText.parse("collocate=g,replicas=1"));
    files.hint(store, new HintSet(SET, "it", null, List.of(rule)));
  }

  private void assertAllOn(List<String> hosts, String name) throws Exception {
    for (String node : NODES) {
      assertThat(hosts(name, node)).as("written by " + node).isEqualTo(hosts);
    }
  }

  private List<String> hosts(String name, String node) throws Exception {
    String directory = DIRECTORY + "/" + name + "-" + node;
    files.put(node, Files.write(folder.resolve("x"), new byte[300_000]), directory);
    return files.hosts(directory + "/x");
  }

  private void reconfigure() throws Exception {
    String server = cluster.master().address() + ":8020";
    assertThat(admin("-reconfig", "namenode", server, "start")).contains("Started");
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(admin("-reconfig", "namenode", server, "status"))
                    .contains("finished", "SUCCESS: Changed property " + KEY));
  }

  private String admin(String... words) throws Exception {
    return files.run("master", "org.apache.hadoop.hdfs.tools.DFSAdmin", List.of(words)).text();
  }

  /** Hadoop does not close a policy; garbage collection closes its resources. */
  private void assertPolicyIsClosed() {
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () -> {
              inNameNode("GC.run");
              assertThat(nameNodes()).isEmpty();
              assertThat(inNameNode("Thread.print").lines())
                  .noneMatch(line -> line.startsWith("\"Curator") || line.startsWith("\"weir-"))
                  .noneMatch(line -> line.contains("-SendThread("));
            });
  }

  private List<WatcherInfo> nameNodes() throws Exception {
    return store.watchers().stream()
        .filter(watcher -> watcher.role().equals(HintStore.ROLE_NAMENODE))
        .toList();
  }

  private String inNameNode(String command) throws Exception {
    long pid =
        cluster.status().daemons().stream()
            .filter(daemon -> daemon.name().equals("namenode"))
            .mapToLong(DaemonStatus::pid)
            .findFirst()
            .orElseThrow();
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jcmd.waitFor()).as(text).isZero();
    return text;
  }
}
