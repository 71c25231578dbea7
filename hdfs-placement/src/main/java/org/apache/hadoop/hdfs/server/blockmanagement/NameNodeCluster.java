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
final class NameNodeCluster implements BlockPlacementView.Cluster {
  private final WeirBlockPlacementPolicy policy;
  private final NetworkTopology topology;
  private final @Nullable FSClusterStats stats;
  private final TopologySites sites;
  private final NodeEligibility eligibilityCache;
  private volatile @Nullable BlockIndexReader fileBlocks;

  /**
   * Creates a cluster without cached state.
   *
   * @param stats leads to the NameNode's files; null if there are none
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  NameNodeCluster(
      WeirBlockPlacementPolicy policy,
      NetworkTopology topology,
      @Nullable FSClusterStats stats,
      LongSupplier nanoTime) {
    this.policy = policy;
    this.topology = topology;
    this.stats = stats;
    sites = new TopologySites(topology, nanoTime);
    eligibilityCache = new NodeEligibility(nanoTime);
  }

  @Override
  public boolean contains(DatanodeDescriptor node) {
    return topology.contains(node);
  }

  @Override
  public Sites<NodeSite> sites() {
    return sites.get();
  }

  @Override
  public NodeEligibility.Results eligibility(BlockTargetRequest request, Sites<NodeSite> known) {
    int max = request.replicas() + request.chosen().size();
    return eligibilityCache.of(known, request.blockSize(), request.storageTypes(max).keySet());
  }

  @Override
  public NodeRejections rejections(BlockTargetRequest request) {
    return policy.rejections(request);
  }

  @Override
  public OptionalInt index(BlockTargetRequest request) {
    BlockIndexReader present = fileBlocks;
    if (present == null) {
      present = BlockIndexReader.of(stats);
      fileBlocks = present;
    }
    return present.next(request.src());
  }
}
