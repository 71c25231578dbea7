package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Sites;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The cluster of a NameNode, with state that is kept from block to block. */
@NullMarked
final class NameNodeCluster implements BlockPlacementView.Cluster {
  private final WeirBlockPlacementPolicy policy;
  private final NetworkTopology topology;
  private final @Nullable FSClusterStats stats;
  private final TopologySites sites;
  private final NodeEligibility ability;
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
    ability = new NodeEligibility(nanoTime);
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
  public NodeEligibility.Answers answers(BlockTargetRequest ask, Sites<NodeSite> known) {
    int most = ask.replicas() + ask.chosen().size();
    return ability.of(known, ask.blockSize(), ask.storageTypes(most).keySet());
  }

  @Override
  public NodeRejections refusals(BlockTargetRequest ask) {
    return policy.refusals(ask);
  }

  @Override
  public OptionalInt index(BlockTargetRequest ask) {
    BlockIndexReader present = fileBlocks;
    if (present == null) {
      // Created when the first hint needs it.
      present = BlockIndexReader.of(stats);
      fileBlocks = present;
    }
    return present.next(ask.src());
  }
}
