package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import dev.weir.it.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that hints want is full: files go to the next one, and the rejection is counted. */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
class FullNodesIT {
  private static final String RESERVED = "dfs.datanode.du.reserved";
  private static final String ALL = String.valueOf(1L << 50);
  private static final String LOCAL = "/full/local";
  private static final String GROUP = "/full/group";
  private static final String SET = "full-nodes-it";
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
    List<Rule> rules =
        List.of(
            new Rule(PathPattern.parse(LOCAL + "/*"), HintText.parse("pipeline,temporary")),
            new Rule(PathPattern.parse(GROUP + "/*"), HintText.parse("collocate=g,replicas=1")));
    files.hint(store, new HintSet(SET, "it", null, rules));
  }

  @AfterEach
  void close() throws Exception {
    store.remove(SET);
    store.close();
    files.fs().delete(new org.apache.hadoop.fs.Path("/full"), true);
    files.fs().close();
  }

  @Test
  void theNextNodeReplacesAFullOne() throws Exception {
    String anchor = put("n1", GROUP, "first");
    assertThat(put(anchor, LOCAL, "with-room")).isEqualTo(anchor);
    long local = counter("LocalBecauseFull");
    long group = counter("CollocateBecauseFull");

    NodeSettings full = NodeSettings.change(cluster, anchor, Map.of(RESERVED, ALL));
    try {
      restart(anchor);
      awaitRoom(anchor, false);

      String neighbour = put(anchor, LOCAL, "without-room");
      assertThat(neighbour).isNotEqualTo(anchor);
      assertThat(rack(neighbour)).as("the rack of the next node with room").isEqualTo(rack(anchor));
      String next = put("n1", GROUP, "second");
      assertThat(next).isNotEqualTo(anchor);
      assertThat(put("n2", GROUP, "third")).as("the next in the group's order").isEqualTo(next);
      // JMX values are up to ten seconds old.
      await()
          .untilAsserted(
              () -> {
                assertThat(counter("LocalBecauseFull")).isEqualTo(local + 1);
                assertThat(counter("CollocateBecauseFull")).isEqualTo(group + 2);
              });
    } finally {
      full.close();
      restart(anchor);
    }

    awaitRoom(anchor, true);
    assertThat(put("n2", GROUP, "fourth")).isEqualTo(anchor);
    assertThat(put(anchor, LOCAL, "with-room-again")).isEqualTo(anchor);
  }

  private void restart(String node) throws Exception {
    cluster.stopNode(node);
    cluster.startNode(node);
  }

  private void awaitRoom(String node, boolean room) {
    DistributedFileSystem hdfs = (DistributedFileSystem) files.fs();
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                Arrays.stream(hdfs.getDataNodeStats())
                    .filter(info -> info.getHostName().equals(node))
                    .anyMatch(info -> info.getRemaining() > 0 == room));
  }

  /** Writes a file with one replica; returns its node. */
  private String put(String node, String directory, String name) throws Exception {
    files.put(node, Files.write(folder.resolve(name), new byte[300_000]), directory);
    List<String> hosts = files.hosts(directory + "/" + name);
    assertThat(hosts).hasSize(1);
    return hosts.get(0);
  }

  private String rack(String name) {
    return cluster.nodes().stream()
        .filter(node -> node.name().equals(name))
        .map(NodeInfo::rack)
        .findFirst()
        .orElseThrow();
  }

  private long counter(String name) throws IOException {
    return cluster
        .jmx("namenode", "Hadoop:service=NameNode,name=WeirPlacement")
        .path(0)
        .path(name)
        .asLong();
  }
}
