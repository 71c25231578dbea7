package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.PipelineOrder;
import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementPlan;
import dev.weir.hdfs.placement.PlacementPlanner;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the targets of blocks by hints. {@link PlacementPlanner} decides where a block should go.
 * The base policy's rules decide whether a node can take it, except that a node that a hint names
 * may have twice the load.
 */
@NullMarked
final class HintedTargets {
  private final BlockPlacementPolicyDefault base;
  private final NameNodeCluster cluster;
  private final Supplier<PlacementMetrics> metrics;

  /**
   * Creates a chooser.
   *
   * @param base the policy that places what no hint directs
   * @param metrics the current counters
   */
  HintedTargets(
      BlockPlacementPolicyDefault base,
      NameNodeCluster cluster,
      Supplier<PlacementMetrics> metrics) {
    this.base = base;
    this.cluster = cluster;
    this.metrics = metrics;
  }

  /** Publishes the state of lazy files in the counters. */
  void publish(PlacementMetrics counters) {
    counters.watchLazyFiles(cluster::isBacklogged, cluster.lazyCopies()::overdue);
  }

  /** The targets by a hint; null if none was found. */
  DatanodeStorageInfo @Nullable [] choose(Hint hint, BlockTargetRequest request)
      throws NotEnoughReplicasException {
    BlockPlacementView view = new BlockPlacementView(request, cluster);
    PlacementPlan<NodeSite> plan = PlacementPlanner.plan(hint, view);
    DatanodeStorageInfo[] placed =
        plan.directed()
            ? placeDirected(request, plan)
            : placeStock(request, plan.targets(), request.chosen());
    if (plan.lacksReplicas(placed.length) && request.isNewBlock()) {
      placed = withBusyNodes(request, plan, view, placed);
    }
    if (request.isNewBlock() || plan.directed()) {
      count(request, plan, sites(placed));
    }
    if (request.isNewBlock() && plan.targets() < request.replicas()) {
      cluster.lazyCopies().watch(request.src());
    }
    return placed.length == 0 ? null : placed;
  }

  private void count(
      BlockTargetRequest request, PlacementPlan<NodeSite> plan, List<NodeSite> placed) {
    PlacementMetrics counters = metrics.get();
    for (RejectionReason reason : plan.reasons()) {
      counters.rejected(plan.kind(), reason);
    }
    if (!plan.directed()) {
      for (NodeSite site : plan.wanted()) {
        if (!placed.contains(site)) {
          cluster
              .rejections(request)
              .of(site.node())
              .ifPresent(reason -> counters.rejected(plan.kind(), reason));
        }
      }
    }
    counters.decided(plan.kind(), plan.outcome(request.replicas(), placed));
  }

  /**
   * Places replicas on the wanted nodes as far as Hadoop's rules allow, and the rest as stock HDFS
   * does.
   */
  private DatanodeStorageInfo[] placeDirected(
      BlockTargetRequest request, PlacementPlan<NodeSite> plan) throws NotEnoughReplicasException {
    List<DatanodeStorageInfo> all = new ArrayList<>(request.chosen());
    int end = placeOn(request, plan, plan.wanted(), all);
    List<DatanodeStorageInfo> placed =
        new ArrayList<>(all.subList(request.chosen().size(), all.size()));
    if (all.size() < end) {
      placed.addAll(Arrays.asList(placeStock(request, end - all.size(), all)));
    }
    return plan.kind() == PlacementKind.NODES
        ? placed.toArray(DatanodeStorageInfo[]::new)
        : inPipelineOrder(request, placed);
  }

  /**
   * Adds nodes that stock HDFS skipped. It skips nodes with twice the average load, which on an
   * idle cluster is every node with a transfer. A broadcast file would lack replicas there until
   * HDFS copies it, and readers would fetch it from other nodes meanwhile.
   */
  private DatanodeStorageInfo[] withBusyNodes(
      BlockTargetRequest request,
      PlacementPlan<NodeSite> plan,
      BlockPlacementView view,
      DatanodeStorageInfo[] placed)
      throws NotEnoughReplicasException {
    List<DatanodeStorageInfo> all = new ArrayList<>(request.chosen());
    all.addAll(Arrays.asList(placed));
    List<NodeSite> others = new ArrayList<>(PlacementPlanner.fallbackSites(plan, view));
    others.removeAll(sites(placed));
    placeOn(request, plan, others, all);
    return inPipelineOrder(
        request, new ArrayList<>(all.subList(request.chosen().size(), all.size())));
  }

  /**
   * Places replicas on sites as far as Hadoop's rules allow.
   *
   * @param all the block's replicas, to which new ones are added
   * @return how many replicas the block should have in all
   */
  private int placeOn(
      BlockTargetRequest request,
      PlacementPlan<NodeSite> plan,
      List<NodeSite> sites,
      List<DatanodeStorageInfo> all)
      throws NotEnoughReplicasException {
    int[] limits = base.getMaxNodesPerRack(request.chosen().size(), plan.targets());
    int end = request.chosen().size() + limits[0];
    boolean avoidStale = cluster.avoidsStale();
    EnumMap<StorageType, Integer> types = request.storageTypes(end);
    BlockTargetRequest.without(types, all.subList(request.chosen().size(), all.size()));
    Set<Node> tried = request.excludedAnd(all, base);
    for (NodeSite site : sites) {
      if (all.size() >= end || types.isEmpty()) {
        break;
      }
      if (isOverloaded(site, request, plan.kind())) {
        metrics.get().rejected(plan.kind(), RejectionReason.BUSY);
        continue;
      }
      // Adds to all, types and tried. Hadoop ignores the load of favoured nodes.
      boolean isPlaced =
          hasRoomOnRack(site, limits[1], all)
              && base.chooseLocalOrFavoredStorage(
                      site.node(),
                      true,
                      tried,
                      request.blockSize(),
                      limits[1],
                      all,
                      avoidStale,
                      types)
                  != null;
      if (!isPlaced) {
        cluster
            .rejections(request, end)
            .of(site.node(), limits[1], all)
            .ifPresent(reason -> metrics.get().rejected(plan.kind(), reason));
      }
    }
    return end;
  }

  /** The writer's own node may have any load, as in stock HDFS. */
  private boolean isOverloaded(NodeSite site, BlockTargetRequest request, PlacementKind kind) {
    return (kind == PlacementKind.COLLOCATE || kind == PlacementKind.NODES)
        && !site.node().equals(request.writer())
        && cluster.isOverloaded(site.node());
  }

  /** The base policy checks network locations, which may be groups of nodes within a rack. */
  private boolean hasRoomOnRack(NodeSite site, int mostOnRack, List<DatanodeStorageInfo> others) {
    int onRack = 0;
    for (DatanodeStorageInfo other : others) {
      if (base.getRack(other.getDatanodeDescriptor()).equals(site.rack())) {
        onRack++;
      }
    }
    return onRack < mostOnRack;
  }

  private DatanodeStorageInfo[] placeStock(
      BlockTargetRequest request, int replicas, List<DatanodeStorageInfo> chosen) {
    return base.chooseTarget(
        request.src(),
        replicas,
        request.writer(),
        chosen,
        false,
        request.excludedAnd(chosen, base),
        request.blockSize(),
        request.storagePolicy(),
        request.flags());
  }

  private DatanodeStorageInfo[] inPipelineOrder(
      BlockTargetRequest request, List<DatanodeStorageInfo> placed) {
    Node writer = request.writer();
    Node start = writer != null && base.clusterMap.contains(writer) ? writer : null;
    return PipelineOrder.nearestFirst(
            placed, start, DatanodeStorageInfo::getDatanodeDescriptor, base.clusterMap::getDistance)
        .toArray(DatanodeStorageInfo[]::new);
  }

  private List<NodeSite> sites(DatanodeStorageInfo[] storages) {
    List<NodeSite> sites = new ArrayList<>(storages.length);
    for (DatanodeStorageInfo storage : storages) {
      sites.add(cluster.site(storage.getDatanodeDescriptor()));
    }
    return sites;
  }
}
