package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.RedundancyBacklog;
import dev.weir.hdfs.placement.Sites;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The cluster of a NameNode, with state that is cached across blocks. */
@NullMarked
final class NameNodeCluster {
  /**
   * Key of the most under-replicated blocks for each DataNode; beyond it lazy files are written
   * eagerly.
   */
  static final String BACKLOG_KEY = "weir.lazy.max-low-redundancy-per-datanode";

  static final int BACKLOG_DEFAULT = 100;

  /** How many times the average load a node may have that a hint names. Stock HDFS allows two. */
  private static final int LOAD_FACTOR = 4;

  private final BlockPlacementPolicyDefault policy;
  private final NetworkTopology topology;
  private final @Nullable FSClusterStats stats;
  private final int minReplicas;
  private final int defaultReplication;
  private final TopologySites sites;
  private final NodeEligibility eligibilityCache;
  private final BlockIndexReader blockIndices;
  private final LazyCopies lazyCopies;
  private final RedundancyBacklog backlog;

  /**
   * Creates a cluster without cached state.
   *
   * @param policy decides whether a node can take a block
   * @param stats leads to the NameNode's files; null if there are none
   * @param conf the NameNode's configuration
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  NameNodeCluster(
      BlockPlacementPolicyDefault policy,
      NetworkTopology topology,
      @Nullable FSClusterStats stats,
      Configuration conf,
      LongSupplier nanoTime) {
    this.policy = policy;
    this.topology = topology;
    this.stats = stats;
    sites = new TopologySites(topology, this::site, nanoTime);
    eligibilityCache = new NodeEligibility(nanoTime);
    minReplicas =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    defaultReplication =
        conf.getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT);
    NamesystemReader files = NamesystemReader.of(stats);
    blockIndices = new BlockIndexReader(files);
    lazyCopies = new LazyCopies(files, nanoTime);
    int limit = conf.getInt(BACKLOG_KEY, BACKLOG_DEFAULT);
    backlog =
        new RedundancyBacklog(
            files::lowRedundancyBlocks, () -> (long) limit * topology.getNumOfLeaves());
  }

  boolean contains(DatanodeDescriptor node) {
    return topology.contains(node);
  }

  /** A DataNode with the rack that the policy sees. */
  NodeSite site(DatanodeDescriptor node) {
    return new NodeSite(node, policy.getRack(node));
  }

  Sites<NodeSite> sites() {
    return sites.get();
  }

  NodeEligibility.Results eligibility(BlockTargetRequest request, Sites<NodeSite> known) {
    int max = request.replicas() + request.chosen().size();
    return eligibilityCache.of(known, request.blockSize(), request.storageTypes(max).keySet());
  }

  /** Creates the checks that tell why a DataNode cannot take a block. */
  NodeRejections rejections(BlockTargetRequest request) {
    return rejections(request, request.replicas() + request.chosen().size());
  }

  /**
   * Creates the checks that tell why a DataNode cannot take a block.
   *
   * @param all how many replicas the block should have in all
   */
  NodeRejections rejections(BlockTargetRequest request, int all) {
    return new NodeRejections(policy, request, request.storageTypes(all).keySet(), avoidsStale());
  }

  /** Whether nodes without recent heartbeats are avoided. */
  boolean avoidsStale() {
    return stats != null && stats.isAvoidingStaleDataNodesForWrite();
  }

  OptionalInt index(BlockTargetRequest request) {
    return blockIndices.next(request.src());
  }

  /** How many replicas complete a block. */
  int minReplicas() {
    return minReplicas;
  }

  /** The replication of files whose writers choose none. */
  int defaultReplication() {
    return defaultReplication;
  }

  /** Whether HDFS has too many copies to make. */
  boolean isBacklogged() {
    return backlog.exists();
  }

  /** The lazy files whose copies are overdue. */
  LazyCopies lazyCopies() {
    return lazyCopies;
  }

  /**
   * Whether a node has so much more load than others that even one that a hint names should not get
   * more. On an idle cluster the average is below one transfer.
   */
  boolean isOverloaded(DatanodeDescriptor node) {
    return stats != null
        && policy.considerLoad
        && node.getXceiverCount() > LOAD_FACTOR * Math.max(1, stats.getInServiceXceiverAverage());
  }
}
