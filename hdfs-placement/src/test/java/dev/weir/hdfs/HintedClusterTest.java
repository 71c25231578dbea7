package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.Kind;
import dev.weir.hdfs.placement.Outcome;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Lifetime;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Presets;
import dev.weir.hints.Replication;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.WeirBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real NameNode and six DataNodes on two racks, with hints from a real ZooKeeper. */
class HintedClusterTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int FILE_BYTES = 300_000;

  private static final Hint NAMED =
      Hint.builder().placement(new Placement.Nodes(List.of("nobody", "n6", "n2", "n4"))).build();

  private static TestingServer zooKeeper;
  private static MiniDFSCluster cluster;
  private static FileSystem fs;
  private static HintStore store;

  @BeforeAll
  static void startCluster() throws Exception {
    zooKeeper = new TestingServer(true);
    Configuration conf = new Configuration();
    java.nio.file.Path directory = Files.createTempDirectory("weir-cluster");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, WeirBlockPlacementPolicy.class.getName());
    conf.set("fs.hdfs.impl", WeirFileSystem.class.getName());
    conf.set(HintSettings.QUORUM_KEY, zooKeeper.getConnectString());
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 1 << 20);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_MAX_KEY, 50);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(6)
            .racks(new String[] {"/a", "/a", "/a", "/b", "/b", "/b"})
            .hosts(new String[] {"n1", "n2", "n3", "n4", "n5", "n6"})
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    store = ZooKeeperHintStore.open(HintSettings.from(conf));
    write("/warm-up");
    advise();
  }

  /** One set for all tests, applied by the NameNode and the client before the first begins. */
  private static void advise() throws Exception {
    Hint temporaryPipeline = Presets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    Hint writeThrough =
        Hint.builder()
            .placement(new Placement.Collocate("through"))
            .replication(Replication.eager(2))
            .build();
    Hint temporaryReduce = Presets.reduce("back").toBuilder().lifetime(Lifetime.scratch()).build();
    List<Rule> rules =
        List.of(
            rule("/pipeline/*", Presets.pipeline()),
            rule("/temporary/*", temporaryPipeline),
            rule("/eager/*", Hint.builder().placement(new Placement.Local()).build()),
            rule("/through/*", writeThrough),
            rule("/back/*", Presets.reduce("back")),
            rule("/back2/*", temporaryReduce),
            rule("/named/*", NAMED),
            rule("/broadcast/*", Presets.broadcast(5)),
            rule("/refused/*", Presets.broadcast(100)),
            rule("/blocks/*", Hint.builder().blockSize(2 << 20).build()));
    long version = store.put(new HintSet("test", "alice", null, rules));
    assertThat(store.awaitApplied(version, HintStore.ROLE_NAMENODE, LONG)).isTrue();
    await().atMost(LONG).until(() -> fs.getDefaultReplication(new Path("/temporary/x")) == 1);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    fs.close();
    store.close();
    cluster.shutdown(true);
    zooKeeper.close();
  }

  @Test
  void aFileWithoutAHintIsStock() throws Exception {
    awaitHosts(write("/plain/x"), 3);
  }

  @Test
  void aPipelineFileHasOneReplicaInTheWriteAndTheOthersAfterwards() throws Exception {
    Path path = new Path("/pipeline/x");
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(new byte[FILE_BYTES]);
      out.hflush();
      assertThat(((HdfsDataOutputStream) out).getCurrentBlockReplication()).isEqualTo(1);
    }
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 3);
    awaitHosts(path, 3);
  }

  @Test
  void aTemporaryPipelineFileHasOneReplicaForEver() throws Exception {
    Path path = write("/temporary/x");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
    assertThat(hosts(path)).hasSize(1);
    Path built = new Path("/temporary/built");
    try (FSDataOutputStream out = fs.createFile(built).build()) {
      out.write(1);
    }
    assertThat(fs.getFileStatus(built).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void whatTheProgramNamesIsNotTouched() throws Exception {
    Path path = new Path("/temporary/explicit");
    fs.create(path, true, 4096, (short) 2, 1 << 20).close();
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 2);
  }

  @Test
  void aLocalBlockBeginsWithItsWriter() throws Exception {
    for (DatanodeDescriptor writer : dataNodes()) {
      assertThat(choose("/pipeline/y", 3, writer)).containsExactly(writer.getHostName());
      assertThat(choose("/eager/y", 3, writer))
          .hasSize(3)
          .element(0)
          .isEqualTo(writer.getHostName());
    }
  }

  @Test
  void filesWrittenThroughAreOnTheAnchorsOfTheirGroup() throws Exception {
    Path first = write("/through/0");
    Set<String> anchors = awaitHosts(first, 2);
    assertThat(racks(first)).hasSize(2);
    for (int i = 1; i < 8; i++) {
      assertThat(awaitHosts(write("/through/" + i), 2)).isEqualTo(anchors);
    }
  }

  @Test
  void filesWrittenBackStayWithTheirWriterAndAreCopiedToTheAnchors() throws Exception {
    for (DatanodeDescriptor writer : dataNodes()) {
      assertThat(choose("/back/y", 3, writer)).containsExactly(writer.getHostName());
    }
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add(write("/back/" + i));
    }
    Set<String> common = awaitHosts(files.get(0), 3);
    for (Path file : files) {
      common.retainAll(awaitHosts(file, 3));
    }
    assertThat(common).as("both anchors hold every file").hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void aTemporaryFileWrittenBackHasOneCopyOnAnAnchor() throws Exception {
    Path path = write("/back2/x");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 2);
    awaitHosts(path, 2);
  }

  @Test
  void aFileWithNamedNodesIsOnThem() throws Exception {
    for (DatanodeDescriptor writer : dataNodes()) {
      assertThat(choose("/named/y", 2, writer)).containsExactly("n6", "n2");
    }
    assertThat(awaitHosts(write("/named/x"), 3)).containsExactlyInAnyOrder("n6", "n2", "n4");
  }

  @Test
  void copiesOfAFileGoToItsNamedNodes() throws Exception {
    Path path = new Path("/named/raised");
    fs.create(path, (short) 1).close();
    try (FSDataOutputStream out = fs.append(path)) {
      out.write(new byte[FILE_BYTES]);
    }
    assertThat(awaitHosts(path, 1)).containsExactly("n6");
    fs.setReplication(path, (short) 3);
    assertThat(awaitHosts(path, 3)).containsExactlyInAnyOrder("n6", "n2", "n4");
  }

  @Test
  void aBroadcastFileIsOnAsManyNodesAsItsHintSays() throws Exception {
    awaitHosts(write("/broadcast/x"), 5);
  }

  @Test
  void aFileHasTheBlockSizeOfItsHint() throws Exception {
    assertThat(fs.getFileStatus(write("/blocks/x")).getBlockSize()).isEqualTo(2 << 20);
  }

  @Test
  void aFileThatIsBeingCopiedInIsPlacedAsItsTarget() throws Exception {
    Path path = write("/temporary/z._COPYING_");
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void aFileWhoseHintTheNameNodeRefusesIsStock() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.unset(DFSConfigKeys.DFS_REPLICATION_MAX_KEY);
    try (FileSystem client = FileSystem.newInstance(conf)) {
      await().atMost(LONG).until(() -> client.getDefaultReplication(new Path("/refused/x")) == 100);
      client.create(new Path("/refused/x")).close();
      assertThat(client.getFileStatus(new Path("/refused/x")).getReplication())
          .isEqualTo((short) 3);
      assertThat(((WeirFileSystem) client).counts().refused()).isEqualTo(1);
      assertThatThrownBy(() -> client.create(new Path("/refused/y"), (short) 101))
          .as("what the program names itself is refused as ever")
          .hasMessageContaining("101");
    }
  }

  @Test
  void aClientWithoutZooKeeperMakesFilesAsStock() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.set(HintSettings.QUORUM_KEY, "127.0.0.1:1");
    try (FileSystem client = FileSystem.newInstance(conf)) {
      client.create(new Path("/temporary/unknown")).close();
      assertThat(client.getFileStatus(new Path("/temporary/unknown")).getReplication())
          .isEqualTo((short) 3);
      assertThat(((WeirFileSystem) client).counts().unready()).isPositive();
    }
  }

  @Test
  void hintsAreForTheDefaultFileSystemAlone() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://elsewhere:8020");
    try (FileSystem client = FileSystem.newInstance(fs.getUri(), conf)) {
      assertThat(client.getDefaultReplication(new Path("/temporary/x"))).isEqualTo((short) 3);
      assertThat(((WeirFileSystem) client).counts().unready()).isZero();
    }
  }

  @Test
  void decisionsAreCounted() throws Exception {
    PlacementMetrics metrics = PlacementMetrics.registered();
    long before = metrics.count(Kind.LOCAL, Outcome.HONOURED);
    long failures = metrics.failures();
    write("/temporary/counted");
    assertThat(metrics.count(Kind.LOCAL, Outcome.HONOURED)).isEqualTo(before + 1);
    assertThat(metrics.failures()).isEqualTo(failures);
  }

  private static Rule rule(String pattern, Hint hint) {
    return new Rule(PathPattern.parse(pattern), hint);
  }

  private static Path write(String name) throws IOException {
    Path path = new Path(name);
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(new byte[FILE_BYTES]);
    }
    return path;
  }

  /** The NameNode hears of most replicas a moment after the close. */
  private static Set<String> awaitHosts(Path path, int count) {
    return await().atMost(LONG).until(() -> hosts(path), hosts -> hosts.size() == count);
  }

  private static Set<String> hosts(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    Set<String> hosts = new HashSet<>();
    for (BlockLocation location : fs.getFileBlockLocations(status, 0, status.getLen())) {
      hosts.addAll(Arrays.asList(location.getHosts()));
    }
    return hosts;
  }

  private static Set<String> racks(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    Set<String> racks = new HashSet<>();
    for (BlockLocation location : fs.getFileBlockLocations(status, 0, status.getLen())) {
      for (String place : location.getTopologyPaths()) {
        racks.add(place.substring(0, place.lastIndexOf('/')));
      }
    }
    return racks;
  }

  private static List<DatanodeDescriptor> dataNodes() throws IOException {
    BlockManager manager = cluster.getNamesystem().getBlockManager();
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (DatanodeStorageReport report :
        manager
            .getDatanodeManager()
            .getDatanodeStorageReport(HdfsConstants.DatanodeReportType.LIVE)) {
      nodes.add(manager.getDatanodeManager().getDatanode(report.getDatanodeInfo()));
    }
    return nodes;
  }

  private static List<String> choose(String path, int replicas, DatanodeDescriptor writer)
      throws IOException {
    BlockManager manager = cluster.getNamesystem().getBlockManager();
    DatanodeStorageInfo[] targets =
        manager.chooseTarget4NewBlock(
            path,
            replicas,
            writer,
            new HashSet<>(),
            1 << 20,
            List.of(),
            HdfsConstants.StoragePolicy.HOT.value(),
            BlockType.CONTIGUOUS,
            null,
            EnumSet.noneOf(AddBlockFlag.class));
    return Arrays.stream(targets)
        .map(target -> target.getDatanodeDescriptor().getHostName())
        .toList();
  }
}
