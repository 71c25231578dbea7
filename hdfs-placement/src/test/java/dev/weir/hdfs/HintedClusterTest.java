package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.FILE_BYTES;
import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.Rule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real NameNode and six DataNodes on two racks, with hints from a real ZooKeeper. */
class HintedClusterTest {

  private static final Hint SPREAD_GROUP =
      Hint.builder()
          .placement(new Placement.Collocate("divided", 3))
          .replication(Replication.eager(2))
          .build();
  private static final Hint NAMED =
      Hint.builder().placement(new Placement.Nodes(List.of("unknown", "n6", "n2", "n4"))).build();

  private static HintedCluster cluster;
  private static FileSystem fs;

  @BeforeAll
  static void startCluster() throws Exception {
    Hint temporaryPipeline =
        HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    Hint eagerGroup =
        Hint.builder()
            .placement(new Placement.Collocate("through"))
            .replication(Replication.eager(2))
            .build();
    Hint temporaryReduce =
        HintPresets.reduce("back").toBuilder().lifetime(Lifetime.scratch()).build();
    List<Rule> rules =
        List.of(
            rule("/pipeline/*", HintPresets.pipeline()),
            rule("/temporary/*", temporaryPipeline),
            rule("/eager/*", Hint.builder().placement(new Placement.Local()).build()),
            rule("/through/*", eagerGroup),
            rule("/back/*", HintPresets.reduce("back")),
            rule("/back2/*", temporaryReduce),
            rule("/divided/*", SPREAD_GROUP),
            rule("/named/*", NAMED),
            rule("/broadcast/*", HintPresets.broadcast(5)),
            rule("/refused/*", HintPresets.broadcast(100)),
            rule("/blocks/*", Hint.builder().blockSize(2 << 20).build()));
    cluster = HintedCluster.start(rules);
    fs = cluster.fs();
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void aFileWithoutAHintIsStock() throws Exception {
    cluster.awaitHosts(write("/plain/x"), 3);
  }

  @Test
  void aPipelineFileIsWrittenWithTwoReplicasAndReplicatedLater() throws Exception {
    Path path = new Path("/pipeline/x");
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(new byte[FILE_BYTES]);
      out.hflush();
      assertThat(((HdfsDataOutputStream) out).getCurrentBlockReplication()).isEqualTo(2);
    }
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 3);
    cluster.awaitHosts(path, 3);
  }

  @Test
  void aTemporaryPipelineFileKeepsOneReplica() throws Exception {
    Path path = write("/temporary/x");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
    assertThat(cluster.hosts(path)).hasSize(1);
    Path built = new Path("/temporary/built");
    try (FSDataOutputStream out = fs.createFile(built).build()) {
      out.write(1);
    }
    assertThat(fs.getFileStatus(built).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void explicitReplicationOverridesTheHint() throws Exception {
    Path path = new Path("/temporary/explicit");
    fs.create(path, true, 4096, (short) 2, 1 << 20).close();
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 2);
  }

  @Test
  void theFirstReplicaOfALocalBlockIsOnItsWriter() throws Exception {
    for (DatanodeDescriptor writer : cluster.dataNodes()) {
      assertThat(cluster.choose("/pipeline/y", 3, writer))
          .hasSize(2)
          .startsWith(writer.getHostName());
      assertThat(cluster.choose("/temporary/y", 3, writer)).containsExactly(writer.getHostName());
      assertThat(cluster.choose("/eager/y", 3, writer))
          .hasSize(3)
          .element(0)
          .isEqualTo(writer.getHostName());
    }
  }

  @Test
  void eagerFilesAreOnTheAnchorsOfTheirGroup() throws Exception {
    Path first = write("/through/0");
    Set<String> anchors = cluster.awaitHosts(first, 2);
    assertThat(cluster.racks(first)).hasSize(2);
    for (int i = 1; i < 8; i++) {
      assertThat(cluster.awaitHosts(write("/through/" + i), 2)).isEqualTo(anchors);
    }
  }

  @Test
  void filesOfASpreadGroupAreDividedOverItsSetsOfAnchors() throws Exception {
    Set<Set<String>> sets = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      Path path = write("/divided/" + i);
      sets.add(cluster.awaitHosts(path, 2));
      assertThat(cluster.racks(path)).hasSize(2);
    }
    assertThat(sets).hasSizeBetween(2, 3);
  }

  @Test
  void lazyFilesStayWithTheirWriterAndAreCopiedToTheAnchors() throws Exception {
    for (DatanodeDescriptor writer : cluster.dataNodes()) {
      assertThat(cluster.choose("/back/y", 3, writer)).hasSize(2).startsWith(writer.getHostName());
      assertThat(cluster.choose("/back2/y", 2, writer)).containsExactly(writer.getHostName());
    }
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add(write("/back/" + i));
    }
    Set<String> common = cluster.awaitHosts(files.get(0), 3);
    for (Path file : files) {
      common.retainAll(cluster.awaitHosts(file, 3));
    }
    assertThat(common).as("both anchors hold every file").hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void aTemporaryLazyFileHasOneCopyOnAnAnchor() throws Exception {
    Path path = write("/back2/x");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 2);
    cluster.awaitHosts(path, 2);
  }

  @Test
  void aFileWithNamedNodesIsOnThem() throws Exception {
    for (DatanodeDescriptor writer : cluster.dataNodes()) {
      assertThat(cluster.choose("/named/y", 2, writer)).containsExactly("n6", "n2");
    }
    assertThat(cluster.awaitHosts(write("/named/x"), 3))
        .containsExactlyInAnyOrder("n6", "n2", "n4");
  }

  @Test
  void copiesOfAFileGoToItsNamedNodes() throws Exception {
    Path path = new Path("/named/raised");
    fs.create(path, (short) 1).close();
    try (FSDataOutputStream out = fs.append(path)) {
      out.write(new byte[FILE_BYTES]);
    }
    assertThat(cluster.awaitHosts(path, 1)).containsExactly("n6");
    fs.setReplication(path, (short) 3);
    assertThat(cluster.awaitHosts(path, 3)).containsExactlyInAnyOrder("n6", "n2", "n4");
  }

  @Test
  void aBroadcastFileHasTheReplicasOfItsHint() throws Exception {
    cluster.awaitHosts(write("/broadcast/x"), 5);
  }

  @Test
  void onlyFilesOfOneReplicaAreClosedSooner() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    for (boolean isPinning : List.of(false, true)) {
      conf.setBoolean(HintedClient.PINNING_KEY, isPinning);
      try (FileSystem client = FileSystem.newInstance(conf)) {
        assertThat(closeDelayMillis(client, "/temporary/closed")).isEqualTo(25);
        for (String file : List.of("/through/closed", "/broadcast/closed", "/plain/closed")) {
          assertThat(closeDelayMillis(client, file)).as(file).isEqualTo(400);
        }
      }
    }
  }

  /** How long the writer of a file waits before it asks again whether the file is complete. */
  private static int closeDelayMillis(FileSystem client, String file) throws Exception {
    Field field = DFSOutputStream.class.getDeclaredField("dfsClient");
    field.setAccessible(true);
    try (FSDataOutputStream out = client.create(new Path(file))) {
      DFSClient writer = (DFSClient) field.get(out.getWrappedStream());
      return writer.getConf().getBlockWriteLocateFollowingInitialDelayMs();
    }
  }

  @Test
  void aFileHasTheBlockSizeOfItsHint() throws Exception {
    assertThat(fs.getFileStatus(write("/blocks/x")).getBlockSize()).isEqualTo(2 << 20);
  }

  @Test
  void anUnfinishedCopyIsPlacedLikeItsTarget() throws Exception {
    Path path = write("/temporary/z._COPYING_");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void aRefusedHintIsRetriedWithStockValues() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.unset(DFSConfigKeys.DFS_REPLICATION_MAX_KEY);
    try (FileSystem client = FileSystem.newInstance(conf)) {
      assertThat(client.getDefaultReplication(new Path("/refused/x"))).isEqualTo((short) 100);
      client.create(new Path("/refused/x")).close();
      assertThat(client.getFileStatus(new Path("/refused/x")).getReplication())
          .isEqualTo((short) 3);
      assertThat(((WeirFileSystem) client).counts().of(HintStatistics.Kind.REFUSED)).isEqualTo(1);
      assertThatThrownBy(() -> client.create(new Path("/refused/y"), (short) 101))
          .as("refused explicit values")
          .hasMessageContaining("101");
    }
  }

  @Test
  void aClientThatFollowsNoHintsCreatesStockFiles() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setBoolean(WeirFileSystem.ENABLED_KEY, false);
    try (FileSystem client = FileSystem.newInstance(conf)) {
      client.create(new Path("/temporary/unknown")).close();
      assertThat(client.getFileStatus(new Path("/temporary/unknown")).getReplication())
          .isEqualTo((short) 3);
    }
  }

  @Test
  void aClientNeedsNoZooKeeper() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.unset(HintSettings.QUORUM_KEY);
    try (FileSystem client = FileSystem.newInstance(conf)) {
      client.create(new Path("/temporary/known")).close();
      assertThat(client.getFileStatus(new Path("/temporary/known")).getReplication())
          .isEqualTo((short) 1);
    }
  }

  @Test
  void decisionsAreCounted() throws Exception {
    PlacementMetrics metrics = PlacementMetrics.registered();
    long before = metrics.count(PlacementKind.LOCAL, PlacementOutcome.HONOURED);
    long failures = metrics.failures();
    write("/temporary/counted");
    assertThat(metrics.count(PlacementKind.LOCAL, PlacementOutcome.HONOURED)).isEqualTo(before + 1);
    assertThat(metrics.failures()).isEqualTo(failures);
  }

  private static Path write(String name) throws IOException {
    return cluster.write(name, FILE_BYTES);
  }
}
