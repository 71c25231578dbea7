package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.cluster.process.DaemonStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a cluster with any kind of host. All tests of a kind share one cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LocalClusterContract {
  static final Duration SOON = Duration.ofSeconds(60);
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";

  private final LocalCluster cluster;
  private final List<StartupProgress> progress;
  @TempDir private Path dir;

  LocalClusterContract(ClusterSpec.Builder spec) throws IOException {
    progress = new ArrayList<>();
    cluster = LocalCluster.start(spec.nodes(3).racks(2).build(), progress::add);
  }

  final LocalCluster cluster() {
    return cluster;
  }

  @AfterAll
  void close() throws IOException {
    cluster.close();
    assertThat(cluster.dir()).doesNotExist();
    assertThat(OrphanFinder.of(cluster.dir())).isEmpty();
    assertThat(LocalCluster.known()).doesNotContain(cluster.dir());
  }

  @Test
  void startEndsWhenEverythingHasRegistered() {
    assertThat(progress).contains(new StartupProgress("registered", 7, 7));
    ClusterStatus status = cluster.status();
    assertThat(status.isComplete()).isTrue();
    assertThat(status.daemons())
        .extracting(DaemonStatus::name)
        .containsExactly("namenode", "resourcemanager", "zookeeper", "n1", "n2", "n3");
  }

  @Test
  void aWriterOnANodeGetsTheFirstReplicaThere() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "content");
    try (FileSystem hdfs = FileSystem.newInstance(cluster.configuration())) {
      for (NodeInfo node : cluster.nodes()) {
        String target = "/from-" + node.name();
        run(
            cluster.java(
                node.name(),
                SHELL,
                List.of("-D", "dfs.replication=1", "-put", file.toString(), target)));
        BlockLocation[] blocks =
            hdfs.getFileBlockLocations(new org.apache.hadoop.fs.Path(target), 0, 1);
        assertThat(blocks[0].getHosts()).containsExactly(node.name());
        assertThat(blocks[0].getTopologyPaths()[0]).startsWith(node.rack() + "/");
      }
    }
  }

  @Test
  void yarnKnowsTheNodesByTheSameNamesAndRacks() throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      List<NodeReport> reports = yarn.getNodeReports(NodeState.RUNNING);
      assertThat(reports)
          .extracting(report -> report.getNodeId().getHost() + report.getRackName())
          .containsExactlyInAnyOrder("n1/rack1", "n2/rack2", "n3/rack1");
    }
  }

  @Test
  void everyDaemonOfANodeShowsItsBeans() throws Exception {
    JsonNode dataNode = cluster.jmx("n1", "Hadoop:service=DataNode,name=DataNodeActivity-*");
    assertThat(dataNode.path(0).has("BytesWritten")).isTrue();
    JsonNode nodeManager = cluster.jmx("n1", "Hadoop:service=NodeManager,name=NodeManagerMetrics");
    assertThat(nodeManager.path(0).has("ContainersLaunched")).isTrue();
    assertThat(cluster.jmx("n1", "Hadoop:service=DataNode,name=FSDatasetState")).hasSize(1);
    assertThat(cluster.jmx("namenode", "Hadoop:service=NameNode,name=None")).isEmpty();
  }

  @Test
  void aCommandRunsInTheNodesEnvironment() throws Exception {
    Path out = dir.resolve("out");
    ProcessBuilder command =
        cluster.command("n2", List.of("sh", "-c", "echo $HADOOP_CONF_DIR; command -v java"));
    run(command.redirectOutput(out.toFile()));
    assertThat(Files.readAllLines(out))
        .containsExactly(
            cluster.confDir("n2").toString(), System.getProperty("java.home") + "/bin/java");
  }

  @Test
  void anotherProcessFindsTheCluster() throws Exception {
    assertThat(LocalCluster.known()).contains(cluster.dir());
    LocalCluster same = LocalCluster.attach(cluster.dir());
    assertThat(same.nodes()).isEqualTo(cluster.nodes());
    assertThat(same.status().isComplete()).isTrue();
  }

  @Test
  void aStoppedNodeLosesItsContainersAndReturnsWithItsData() throws Exception {
    String script =
        "echo $$ conf=$HADOOP_CONF_DIR node=$WEIR_NODE java=$JAVA_HOME >started; sleep 1000";
    try (ShellApplication application = new ShellApplication(cluster.configuration(), script)) {
      Path started =
          await().atMost(SOON).until(this::startedFile, Optional::isPresent).orElseThrow();
      await().atMost(SOON).until(() -> Files.size(started) > 0);
      String[] words = Files.readString(started).strip().split(" ");
      String node = words[2].replace("node=", "");
      assertThat(words)
          .contains("conf=" + cluster.confDir(node), "java=" + System.getProperty("java.home"));
      long container = Long.parseLong(words[0]);
      assertThat(OrphanFinder.hasEnded(container)).isFalse();
      assertThat(cluster.containerLogs(node).resolve(application.id().toString())).exists();

      cluster.stopNode(node);
      try {
        await().atMost(SOON).until(() -> OrphanFinder.hasEnded(container));
        assertThat(cluster.status().daemons())
            .filteredOn(daemon -> !daemon.isAlive())
            .extracting(DaemonStatus::name)
            .containsExactly(node);
      } finally {
        cluster.startNode(node);
      }
      assertThat(cluster.status().isComplete()).isTrue();
      await().atMost(SOON).until(() -> cluster.status().liveDataNodes() == 3);
    }
  }

  private Optional<Path> startedFile() throws IOException {
    // The container's directory may be created or deleted during the walk. That is not a failure.
    try (Stream<Path> files = Files.walk(cluster.dir().resolve("nodes"))) {
      return files.filter(file -> file.endsWith("started")).findFirst();
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }

  static void run(ProcessBuilder command) throws Exception {
    Process process = command.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
