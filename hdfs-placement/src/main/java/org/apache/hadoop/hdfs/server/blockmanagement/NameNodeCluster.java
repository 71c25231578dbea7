package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Sites;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The cluster of a NameNode, with state that is cached across blocks. */
@NullMarked
final class NameNodeCluster {
  private final BlockPlacementPolicyDefault policy;
  private final NetworkTopology topology;
  private final @Nullable FSClusterStats stats;
  private final TopologySites sites;
  private final NodeEligibility eligibilityCache;
  private volatile @Nullable BlockIndexReader fileBlocks;

  /**
   * Creates a cluster without cached state.
   *
   * @param policy decides whether a node can take a block
   * @param stats leads to the NameNode's files; null if there are none
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  NameNodeCluster(
      BlockPlacementPolicyDefault policy,
      NetworkTopology topology,
      @Nullable FSClusterStats stats,
      LongSupplier nanoTime) {
    this.policy = policy;
    this.topology = topology;
    this.stats = stats;
    sites = new TopologySites(topology, this::site, nanoTime);
    eligibilityCache = new NodeEligibility(nanoTime);
  }

  /** Whether a DataNode is in the topology. */
  boolean contains(DatanodeDescriptor node) {
    return topology.contains(node);
  }

  /** A DataNode with the rack that the policy sees. */
  NodeSite site(DatanodeDescriptor node) {
    return new NodeSite(node, policy.getRack(node));
  }

  /** All DataNodes. */
  Sites<NodeSite> sites() {
    return sites.get();
  }

  /** The cached eligibility of nodes for such a block. */
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

  /** The index of the block in its file. */
  OptionalInt index(BlockTargetRequest request) {
    BlockIndexReader present = fileBlocks;
    if (present == null) {
      present = BlockIndexReader.of(stats);
      fileBlocks = present;
    }
    return present.next(request.src());
  }
}
