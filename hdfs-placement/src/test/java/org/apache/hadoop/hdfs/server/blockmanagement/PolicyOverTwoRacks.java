package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Anchors;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.LogLimit;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A topology of two racks with three DataNodes each, without a NameNode, and policies over it. */
abstract class PolicyOverTwoRacks {
  static final Duration LONG = Duration.ofSeconds(30);
  static final long BLOCK = 1 << 20;
  static final EnumSet<AddBlockFlag> NEW = EnumSet.noneOf(AddBlockFlag.class);
  static final Hint EAGER = Hint.builder().placement(new Placement.Collocate("g")).build();

  final Configuration conf = new Configuration(false);
  final NetworkTopology topology = new NetworkTopology();
  final BlockStoragePolicy storagePolicy =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  private final Map<String, Long> before = new HashMap<>();
  List<DatanodeStorageInfo> storages = List.of();
  List<DatanodeDescriptor> anchors = List.of();

  @BeforeEach
  void makeNodes() {
    // Load needs the statistics of a running NameNode.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    String[] racks = {"/a", "/a", "/a", "/b", "/b", "/b"};
    String[] hosts = {"n1", "n2", "n3", "n4", "n5", "n6"};
    storages = List.of(DFSTestUtil.createDatanodeStorageInfos(6, racks, hosts));
    List<NodeSite> sites = new ArrayList<>();
    for (DatanodeStorageInfo storage : storages) {
      topology.add(storage.getDatanodeDescriptor());
      setFree(storage.getDatanodeDescriptor(), 1000 * BLOCK);
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      sites.add(new NodeSite(node, node.getNetworkLocation()));
    }
    anchors = Anchors.of("g", sites, 6).stream().map(NodeSite::node).toList();
    recordCounters();
  }

  private void recordCounters() {
    PlacementMetrics metrics = PlacementMetrics.registered();
    for (PlacementKind kind : PlacementKind.values()) {
      for (PlacementOutcome outcome : PlacementOutcome.values()) {
        before.put(kind + " " + outcome, metrics.count(kind, outcome));
      }
      for (RejectionReason reason : RejectionReason.values()) {
        before.put(kind + " " + reason, metrics.count(kind, reason));
      }
    }
  }

  WeirBlockPlacementPolicy policy(Function<Configuration, LazyHints> hintsFactory) {
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(hintsFactory);
    policy.initialize(conf, null, topology, null);
    return policy;
  }

  /** A policy with the hint loaded. */
  WeirBlockPlacementPolicy hinted(String path, Hint hint) {
    return hinted(path, hint, null);
  }

  WeirBlockPlacementPolicy hinted(String path, Hint hint, @Nullable FSClusterStats stats) {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    Rule rule = new Rule(PathPattern.literal(path), hint);
    store.put(new HintSet("s", "alice", null, List.of(rule)));
    LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
    hints.start();
    assertThat(hints.awaitLoaded(LONG)).isTrue();
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(unused -> hints);
    policy.initialize(conf, stats, topology, null);
    return policy;
  }

  List<DatanodeDescriptor> write(
      WeirBlockPlacementPolicy policy,
      int replicas,
      @Nullable Node writer,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            replicas,
            writer,
            new HashSet<>(),
            BLOCK,
            new ArrayList<>(),
            storagePolicy,
            flags);
    return nodes(targets);
  }

  List<DatanodeDescriptor> copies(
      WeirBlockPlacementPolicy policy, DatanodeStorageInfo holder, int replicas) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            replicas,
            holder.getDatanodeDescriptor(),
            List.of(holder),
            false,
            new HashSet<>(Set.of(holder.getDatanodeDescriptor())),
            BLOCK,
            storagePolicy,
            null);
    return nodes(targets);
  }

  /** Decisions since the test began, because the process shares its counters. */
  long decisions(PlacementKind kind, PlacementOutcome outcome) {
    return PlacementMetrics.registered().count(kind, outcome)
        - before.getOrDefault(kind + " " + outcome, 0L);
  }

  void assertReasons(PlacementKind kind, Map<RejectionReason, Long> expected) {
    for (RejectionReason reason : RejectionReason.values()) {
      long count = PlacementMetrics.registered().count(kind, reason);
      assertThat(count - before.getOrDefault(kind + " " + reason, 0L))
          .as("%s because %s", kind, reason)
          .isEqualTo(expected.getOrDefault(reason, 0L));
    }
  }

  DatanodeDescriptor node(int index) {
    return storages.get(index).getDatanodeDescriptor();
  }

  static List<DatanodeDescriptor> nodes(DatanodeStorageInfo[] targets) {
    return Arrays.stream(targets).map(DatanodeStorageInfo::getDatanodeDescriptor).toList();
  }

  static void setFree(DatanodeDescriptor node, long bytes) {
    node.getStorageInfos()[0].setUtilizationForTesting(2000 * BLOCK, 0, bytes, 0);
    node.updateHeartbeat(BlockManagerTestUtil.getStorageReportsForDatanode(node), 0, 0, 0, 0, null);
  }
}
