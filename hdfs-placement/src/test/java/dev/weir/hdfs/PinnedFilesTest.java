package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.FILE_BYTES;
import static dev.weir.hdfs.HintedCluster.LONG;
import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which replicas DataNodes pin for clients that request it. */
class PinnedFilesTest {
  private static final int MIB = 1 << 20;
  private static final FsPermission MODE = FsPermission.getFileDefault();

  @TempDir private static java.nio.file.Path keys;

  private static HintedCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    Hint scratch = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    cluster =
        HintedCluster.start(
            List.of(
                rule("/local/**", scratch),
                rule("/named/**", placed(new Placement.Nodes(List.of("ghost", "n6", "n2")))),
                rule("/group/**", placed(new Placement.Collocate("g"))),
                rule("/back/**", HintPresets.reduce("m")),
                rule("/regions/**", placed(new Placement.Scatter(MIB))),
                rule("/spread/**", placed(new Placement.Spread())),
                rule("/wide/**", HintPresets.broadcast(4))),
            Map.of(
                HintedClient.PINNING_KEY,
                "true",
                CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
                "jceks://file" + keys.resolve("keys.jks")));
    fs = (DistributedFileSystem) cluster.fs();
  }

  private static Hint placed(Placement placement) {
    return Hint.builder().placement(placement).replication(Replication.eager(2)).build();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void blocksArePinnedOnTheNodesOfTheirHint() throws Exception {
    PlacementMetrics metrics = PlacementMetrics.registered();
    long before =
        metrics.count(PlacementKind.NODES, PlacementOutcome.PARTLY)
            + metrics.count(PlacementKind.NODES, PlacementOutcome.HONOURED);

    Path file = write("/named/x", 3 * MIB);

    assertThat(pinned(file, 2)).hasSize(3).containsOnly(Set.of("n6", "n2"));
    assertThat(
            metrics.count(PlacementKind.NODES, PlacementOutcome.PARTLY)
                + metrics.count(PlacementKind.NODES, PlacementOutcome.HONOURED))
        .as("decisions of the NameNode")
        .isEqualTo(before + 3);
  }

  @Test
  void blocksThatTheNameNodePlacesArePinned() throws Exception {
    assertThat(pinned(write("/local/x", 2 * MIB), 1))
        .hasSize(2)
        .allMatch(nodes -> nodes.size() == 1);
    assertThat(pinned(write("/group/x", FILE_BYTES), 2)).allMatch(nodes -> nodes.size() == 2);
    assertThat(pinned(write("/regions/x", 4 * MIB), 2))
        .hasSize(4)
        .allMatch(nodes -> nodes.size() == 2);
  }

  @Test
  void blocksWithoutAPlacementHintAreNotPinned() throws Exception {
    assertThat(pinned(write("/plain/x", FILE_BYTES), 3)).containsExactly(Set.of());
    assertThat(pinned(write("/spread/x", FILE_BYTES), 2)).containsExactly(Set.of());
    assertThat(pinned(write("/wide/x", FILE_BYTES), 4)).containsExactly(Set.of());
  }

  @Test
  void laterCopiesAreNotPinned() throws Exception {
    assertThat(pinned(write("/back/x", FILE_BYTES), 3))
        .as("only the two replicas of the write")
        .singleElement()
        .satisfies(nodes -> assertThat(nodes).hasSize(2));
  }

  @Test
  void aClientWithoutTheSettingPinsNothing() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.unset(HintedClient.PINNING_KEY);
    try (FileSystem client = FileSystem.newInstance(conf)) {
      Path file = new Path("/group/unpinned");
      await().atMost(LONG).until(() -> client.getDefaultReplication(file) == 2);
      write(client, file, FILE_BYTES);
      assertThat(pinned(file, 2)).containsExactly(Set.of());
    }
  }

  @Test
  void favouredNodesOfTheProgramOverrideHints() throws Exception {
    DataNode favoured = cluster.hadoop().getDataNodes().get(3);
    // By address, because the NameNode chooses any node for an unresolvable name.
    InetSocketAddress address =
        InetSocketAddress.createUnresolved(
            favoured.getDatanodeId().getIpAddr(), favoured.getDatanodeId().getXferPort());
    Path file = new Path("/named/favoured");
    try (FSDataOutputStream out =
        fs.create(
            file, MODE, true, 4096, (short) 1, MIB, null, new InetSocketAddress[] {address})) {
      out.write(1);
    }
    assertThat(cluster.awaitHostsByBlock(file, 1))
        .containsExactly(Set.of(favoured.getDatanodeId().getHostName()));
  }

  @Test
  void filesInAnEncryptionZoneArePinned() throws Exception {
    DFSTestUtil.createKey("key", cluster.hadoop(), fs.getConf());
    Path zone = new Path("/local/zone");
    fs.mkdirs(zone);
    new HdfsAdmin(fs.getUri(), fs.getConf())
        .createEncryptionZone(zone, "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    Path file = new Path(zone, "secret");
    write(fs, file, FILE_BYTES);
    assertThat(fs.getFileEncryptionInfo(file)).isNotNull();
    assertThat(pinned(file, 1)).allSatisfy(nodes -> assertThat(nodes).isNotEmpty());
    try (FSDataInputStream in = fs.open(file)) {
      assertThat(in.readAllBytes()).hasSize(FILE_BYTES);
    }
  }

  @Test
  void createBehavesAsWithoutPins() throws Exception {
    Path file = new Path("/group/forms/x");
    EnumSet<CreateFlag> onlyNew = EnumSet.of(CreateFlag.CREATE);
    assertThatThrownBy(() -> fs.createNonRecursive(file, MODE, onlyNew, 4096, (short) 2, MIB, null))
        .isInstanceOf(IOException.class);
    write(fs, file, 10);
    assertThatThrownBy(() -> fs.create(file, false)).isInstanceOf(IOException.class);
    EnumSet<CreateFlag> overwrite = EnumSet.of(CreateFlag.OVERWRITE);
    fs.createNonRecursive(file, MODE, overwrite, 4096, (short) 2, MIB, null).close();
    assertThat(fs.getFileStatus(file).getLen()).isZero();
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(new byte[FILE_BYTES]);
    }
    assertThat(fs.getFileStatus(file).getLen()).isEqualTo(FILE_BYTES);
    assertThatThrownBy(() -> fs.create(new Path("file:///group/elsewhere")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closingTheFileSystemCompletesItsFiles() throws Exception {
    Path file = new Path("/group/open");
    try (FileSystem client = FileSystem.newInstance(fs.getConf())) {
      await().atMost(LONG).until(() -> client.getDefaultReplication(file) == 2);
      client.create(file).write(new byte[FILE_BYTES]);
    }
    assertThat(fs.isFileClosed(file)).isTrue();
    assertThat(fs.getFileStatus(file).getLen()).isEqualTo(FILE_BYTES);
    assertThat(pinned(file, 2)).allMatch(nodes -> nodes.size() == 2);
  }

  private static Path write(String name, int bytes) throws IOException {
    return write(fs, new Path(name), bytes);
  }

  private static Path write(FileSystem client, Path file, int bytes) throws IOException {
    try (FSDataOutputStream out = client.create(file, true)) {
      out.write(new byte[bytes]);
    }
    return file;
  }

  /** The hosts that pinned each block of a file, after all replicas were reported. */
  private static List<Set<String>> pinned(Path file, int replicas) throws Exception {
    cluster.awaitHostsByBlock(file, replicas);
    List<Set<String>> pinned = new ArrayList<>();
    for (LocatedBlock block :
        fs.getClient().getLocatedBlocks(file.toString(), 0).getLocatedBlocks()) {
      Set<String> hosts = new TreeSet<>();
      for (DatanodeInfo node : block.getLocations()) {
        if (isPinned(node, block.getBlock())) {
          hosts.add(node.getHostName());
        }
      }
      pinned.add(hosts);
    }
    return pinned;
  }

  private static boolean isPinned(DatanodeInfo node, ExtendedBlock block) throws IOException {
    for (DataNode dataNode : cluster.hadoop().getDataNodes()) {
      if (dataNode.getDatanodeId().getDatanodeUuid().equals(node.getDatanodeUuid())) {
        return dataNode.getFSDataset().getPinning(block);
      }
    }
    throw new AssertionError("no such DataNode: " + node);
  }
}
