package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.HintSet;
import dev.weir.hints.LogLimit;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.NullMarked;

/**
 * A NameNode with a number of DataNodes, all in service with room for many blocks, and two policies
 * over them: stock and Weir's. As in Hadoop's own placement tests, the DataNodes are records of the
 * NameNode rather than processes.
 */
@NullMarked
public final class PlacementBench implements AutoCloseable {
  /** The size of each block, in bytes. */
  public static final long BLOCK = 128 << 20;

  private static final long SPACE = 10_000 * BLOCK;

  private final NameNode nameNode;
  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final BlockPlacementPolicy stock = new BlockPlacementPolicyDefault();
  private final BlockPlacementPolicy weir;
  private final BlockStoragePolicy storage =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();

  /**
   * Starts the NameNode.
   *
   * @param count the number of DataNodes
   * @param racks the number of racks
   * @param sets the hints of Weir's policy
   * @throws IOException if the NameNode cannot start
   */
  public PlacementBench(int count, int racks, Collection<HintSet> sets) throws IOException {
    Configuration conf = configuration();
    NameNode.format(conf);
    nameNode = new NameNode(conf);
    DatanodeManager manager = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    for (int i = 0; i < count; i++) {
      DatanodeDescriptor node = node(i, "/rack" + i % racks);
      nodes.add(node);
      manager.getNetworkTopology().add(node);
      manager.getHeartbeatManager().addDatanode(node);
      manager.getHeartbeatManager().updateDnStat(node);
    }
    weir = new WeirBlockPlacementPolicy(unused -> hints(sets));
    for (BlockPlacementPolicy policy : List.of(stock, weir)) {
      policy.initialize(
          conf,
          manager.getFSClusterStats(),
          manager.getNetworkTopology(),
          manager.getHost2DatanodeMap());
    }
  }

  private static Configuration configuration() throws IOException {
    Path directory = Files.createTempDirectory("weir-placement");
    Configuration conf = new Configuration();
    FileSystem.setDefaultUri(conf, "hdfs://localhost:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "localhost:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toUri().toString());
    return conf;
  }

  private static DatanodeDescriptor node(int number, String rack) {
    String address = "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
    String host = "node" + number + ".example.org";
    DatanodeDescriptor node =
        new DatanodeDescriptor(
            new DatanodeID(address, host, "uuid-" + number, 9866, 9864, 9865, 9867), rack);
    DatanodeStorageInfo disk = node.updateStorage(new DatanodeStorage("disk-" + number));
    disk.setUtilizationForTesting(SPACE, 0, SPACE, 0);
    node.updateHeartbeat(node.getStorageReports(), 0, 0, 0, 0, null);
    return node;
  }

  private static LazyHints hints(Collection<HintSet> sets) {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    sets.forEach(store::put);
    LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
    hints.start();
    if (!hints.awaitLoaded(Duration.ofMinutes(1))) {
      throw new IllegalStateException("the hints are not read after a minute");
    }
    return hints;
  }

  public NameNode nameNode() {
    return nameNode;
  }

  /** Returns the targets of stock for a block that is being written. */
  public Object[] stock(String path, int replicas, int writer) {
    return place(stock, path, replicas, nodes.get(writer));
  }

  /** Returns the targets of Weir's policy. */
  public Object[] weir(String path, int replicas, int writer) {
    return place(weir, path, replicas, nodes.get(writer));
  }

  private Object[] place(BlockPlacementPolicy policy, String path, int replicas, Node writer) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            path,
            replicas,
            writer,
            new HashSet<>(),
            BLOCK,
            null,
            storage,
            EnumSet.noneOf(AddBlockFlag.class));
    if (targets.length == 0) {
      throw new IllegalStateException("no DataNode was found for " + path);
    }
    return targets;
  }

  @Override
  public void close() {
    nameNode.stop();
  }
}
