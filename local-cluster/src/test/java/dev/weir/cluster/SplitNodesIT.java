package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.process.DaemonStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a DataNode without its NodeManager, and vice versa. */
@Tag("nightly")
class SplitNodesIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String DATANODE = "n1-datanode";
  private static final String NODEMANAGER = "n1-nodemanager";

  @TempDir private Path parent;

  @Test
  void eachDaemonOfASplitNodeIsKilledAndRestartedAlone() throws Exception {
    Path dir = parent.resolve("split");
    ClusterSpec spec =
        ClusterSpec.builder(TestJars.stock()).nodes(1).splitNodes(true).dir(dir).build();
    try (LocalCluster cluster = LocalCluster.start(spec, ProgressListener.NONE)) {
      assertThat(cluster.status().daemons())
          .extracting(DaemonStatus::name)
          .containsExactly("namenode", "resourcemanager", "zookeeper", DATANODE, NODEMANAGER);
      assertThat(cluster.jmx(DATANODE, "Hadoop:service=DataNode,name=FSDatasetState")).hasSize(1);
      assertThat(cluster.jmx(NODEMANAGER, "Hadoop:service=NodeManager,name=NodeManagerMetrics"))
          .hasSize(1);
      assertThat(cluster.logTail(NODEMANAGER)).isNotEmpty();

      killNodeManager(cluster);
      killDataNode(cluster);
    }
    assertThat(dir).doesNotExist();
    // YARN's wrapper processes of a container end shortly after it.
    await().atMost(SOON).untilAsserted(() -> assertThat(OrphanFinder.of(dir)).isEmpty());
  }

  private void killNodeManager(LocalCluster cluster) throws Exception {
    Path started = parent.resolve("started");
    String script = "echo $$ > '%s.half'; mv '%s.half' '%s'; sleep 1000";
    try (ShellApplication application =
        new ShellApplication(
            cluster.configuration(), script.formatted(started, started, started))) {
      await(application.id() + " has begun").atMost(SOON).until(() -> Files.exists(started));
      long container = Long.parseLong(Files.readString(started).strip());

      cluster.stopDaemon(NODEMANAGER);
      assertThat(dead(cluster)).containsExactly(NODEMANAGER);
      assertThat(OrphanFinder.hasEnded(container)).as("its container").isFalse();
      await().atMost(SOON).until(() -> cluster.status().activeNodeManagers() == 0);

      cluster.startDaemon(NODEMANAGER);
      assertThat(dead(cluster)).isEmpty();
      await().atMost(SOON).until(() -> cluster.status().activeNodeManagers() == 1);
    }
  }

  private static void killDataNode(LocalCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
    try (FileSystem hdfs = FileSystem.newInstance(cluster.configuration())) {
      try (var out = hdfs.create(file)) {
        out.writeUTF("content");
      }

      cluster.stopDaemon(DATANODE);
      assertThat(dead(cluster)).containsExactly(DATANODE);
      await().atMost(SOON).until(() -> cluster.status().liveDataNodes() == 0);
      assertThat(cluster.status().activeNodeManagers()).isEqualTo(1);

      cluster.startNode("n1");
      assertThat(dead(cluster)).isEmpty();
      await().atMost(SOON).until(() -> cluster.status().liveDataNodes() == 1);
      try (var in = hdfs.open(file)) {
        assertThat(in.readUTF()).isEqualTo("content");
      }
    }
  }

  private static List<String> dead(LocalCluster cluster) {
    return cluster.status().daemons().stream()
        .filter(daemon -> !daemon.isAlive())
        .map(DaemonStatus::name)
        .toList();
  }
}
