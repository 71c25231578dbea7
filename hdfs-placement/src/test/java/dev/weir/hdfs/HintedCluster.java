package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
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
import java.util.Map;
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
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.WeirBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * A real NameNode and six DataNodes, n1 to n6, on the racks /a and /b, with hints from a real
 * ZooKeeper. Blocks have 1 MiB.
 */
final class HintedCluster implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(60);
  static final int FILE_BYTES = 300_000;

  /** Of the writer in ZooKeeper, which the NameNode does not know. */
  private static final String CREDENTIALS = "weir:secret";

  private final TestingServer zooKeeper;
  private final MiniDFSCluster cluster;
  private final FileSystem fs;
  private final HintStore store;

  private HintedCluster(TestingServer zooKeeper, MiniDFSCluster cluster) throws IOException {
    this.zooKeeper = zooKeeper;
    this.cluster = cluster;
    fs = cluster.getFileSystem();
    Configuration writer = new Configuration(fs.getConf());
    writer.set(StoreAccess.AUTH_KEY, CREDENTIALS);
    store = ZooKeeperHintStore.open(HintSettings.from(writer));
  }

  /** Starts a cluster whose NameNode has loaded the rules and whose root directory has them. */
  static HintedCluster start(List<Rule> rules) throws Exception {
    return start(rules, Map.of());
  }

  /** Starts a cluster with further settings for daemons and client. */
  static HintedCluster start(List<Rule> rules, Map<String, String> settings) throws Exception {
    TestingServer zooKeeper = new TestingServer(true);
    Configuration conf = new Configuration();
    java.nio.file.Path directory = Files.createTempDirectory("weir-cluster");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, WeirBlockPlacementPolicy.class.getName());
    conf.set("fs.hdfs.impl", WeirFileSystem.class.getName());
    conf.set(HintSettings.QUORUM_KEY, zooKeeper.getConnectString());
    conf.set(StoreAccess.WRITERS_KEY, "digest:weir");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 1 << 20);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_MAX_KEY, 50);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    settings.forEach(conf::set);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(6)
            .racks(new String[] {"/a", "/a", "/a", "/b", "/b", "/b"})
            .hosts(new String[] {"n1", "n2", "n3", "n4", "n5", "n6"})
            .build();
    cluster.waitActive();
    HintedCluster hinted = new HintedCluster(zooKeeper, cluster);
    hinted.advise(rules);
    return hinted;
  }

  static Rule rule(String pattern, Hint hint) {
    return new Rule(PathPattern.parse(pattern), hint);
  }

  FileSystem fs() {
    return fs;
  }

  MiniDFSCluster hadoop() {
    return cluster;
  }

  private void advise(List<Rule> rules) throws Exception {
    HintSet set = new HintSet("test", "alice", null, rules);
    fs.setXAttr(
        new Path("/"), ClientRules.ATTRIBUTE, ClientRules.of(HintIndex.of(List.of(set))).value());
    long version = store.put(set);
    assertThat(store.awaitApplied(version, HintStore.ROLE_NAMENODE, LONG)).isTrue();
  }

  /** Writes a file with the client's default replication. */
  Path write(String name, int bytes) throws IOException {
    Path path = new Path(name);
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(new byte[bytes]);
    }
    return path;
  }

  /** Waits for the replicas, because DataNodes report most of them after the close. */
  Set<String> awaitHosts(Path path, int count) {
    return await().atMost(LONG).until(() -> hosts(path), hosts -> hosts.size() == count);
  }

  Set<String> hosts(Path path) throws IOException {
    Set<String> hosts = new HashSet<>();
    hostsByBlock(path).forEach(hosts::addAll);
    return hosts;
  }

  /** Waits until every block of the file has the given number of replicas. */
  List<Set<String>> awaitHostsByBlock(Path path, int count) {
    return await()
        .atMost(LONG)
        .until(
            () -> hostsByBlock(path),
            blocks -> blocks.stream().allMatch(hosts -> hosts.size() == count));
  }

  private List<Set<String>> hostsByBlock(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    List<Set<String>> blocks = new ArrayList<>();
    for (BlockLocation location : fs.getFileBlockLocations(status, 0, status.getLen())) {
      blocks.add(new HashSet<>(Arrays.asList(location.getHosts())));
    }
    return blocks;
  }

  Set<String> racks(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    Set<String> racks = new HashSet<>();
    for (BlockLocation location : fs.getFileBlockLocations(status, 0, status.getLen())) {
      for (String node : location.getTopologyPaths()) {
        racks.add(node.substring(0, node.lastIndexOf('/')));
      }
    }
    return racks;
  }

  List<DatanodeDescriptor> dataNodes() throws IOException {
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

  /** The hosts that the NameNode chooses for a new block. */
  List<String> choose(String path, int replicas, @Nullable Node writer) throws IOException {
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

  @Override
  public void close() throws IOException {
    fs.close();
    store.close();
    cluster.shutdown(true);
    zooKeeper.close();
  }
}
