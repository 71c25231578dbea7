package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.PipelineOrder;
import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementPlan;
import dev.weir.hdfs.placement.PlacementPlanner;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.index.Match;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stock block placement that follows hints; set it as {@code dfs.block.replicator.classname}. It is
 * in Hadoop's package because it needs package-private members. {@link PlacementPlanner} decides
 * where a block should go. The inherited rules decide whether a node can take it, except that an
 * anchor may be busy, like stock HDFS' local node.
 *
 * <p>{@link BlockPlacementPolicyDefault} handles blocks without a hint, blocks for which the
 * program named nodes or excluded the local one, pipeline recovery, and any failure to follow a
 * hint. No call waits for hints.
 */
@NullMarked
public final class WeirBlockPlacementPolicy extends BlockPlacementPolicyDefault {
  private static final Logger LOG = LoggerFactory.getLogger(WeirBlockPlacementPolicy.class);

  private final Function<Configuration, LazyHints> hintsFactory;
  private final LongSupplier nanoTime;
  private final AtomicBoolean started = new AtomicBoolean();
  private @Nullable LazyHints hints;
  private @Nullable FSClusterStats clusterStats;
  private @Nullable NameNodeCluster cluster;
  private int minReplicas = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT;
  private volatile PlacementMetrics metrics = new PlacementMetrics();

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirBlockPlacementPolicy() {
    // A method reference would load the class here; if it is missing, the NameNode would not start.
    this(conf -> LazyHints.ofNameNode(conf));
  }

  WeirBlockPlacementPolicy(Function<Configuration, LazyHints> hintsFactory) {
    this(hintsFactory, System::nanoTime);
  }

  /** For tests. */
  WeirBlockPlacementPolicy(Function<Configuration, LazyHints> hintsFactory, LongSupplier nanoTime) {
    this.hintsFactory = hintsFactory;
    this.nanoTime = nanoTime;
  }

  /**
   * Starts loading hints in the background if statistics are given: only a NameNode passes them.
   * Fsck, the Balancer and the Mover create policies without them.
   */
  @Override
  public void initialize(
      Configuration conf,
      @Nullable FSClusterStats stats,
      @Nullable NetworkTopology topology,
      @Nullable Host2NodesMap hosts) {
    super.initialize(conf, stats, topology, hosts);
    clusterStats = stats;
    cluster = topology == null ? null : new NameNodeCluster(this, topology, stats, nanoTime);
    minReplicas =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    try {
      LazyHints known = hintsFactory.apply(conf);
      hints = known;
      if (stats != null) {
        start(known);
      }
    } catch (RuntimeException | Error e) {
      // A NameNode must start without hints too, for instance if the jar that reads them is missing
      // or no thread can be created. Thread creation is retried with the first block.
      LOG.warn("Hints cannot be used; files get stock values", e);
    }
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String srcPath,
      int numOfReplicas,
      @Nullable Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      @Nullable Set<Node> excludedNodes,
      long blocksize,
      BlockStoragePolicy storagePolicy,
      @Nullable EnumSet<AddBlockFlag> flags) {
    LazyHints known = hints;
    Match match =
        known == null || returnChosenNodes || !BlockTargetRequest.isOpenToHints(flags, chosen)
            ? null
            : find(known, srcPath, flags != null);
    NameNodeCluster nodes = cluster;
    if (match != null && known != null && nodes != null) {
      BlockTargetRequest request =
          new BlockTargetRequest(
              srcPath,
              numOfReplicas,
              writer,
              chosen,
              excludedNodes,
              blocksize,
              storagePolicy,
              flags);
      DatanodeStorageInfo[] placed =
          follow(match.hint(), new BlockPlacementView(request, minReplicas, nodes), known);
      if (placed != null) {
        return placed;
      }
    }
    return super.chooseTarget(
        srcPath,
        numOfReplicas,
        writer,
        chosen,
        returnChosenNodes,
        excludedNodes,
        blocksize,
        storagePolicy,
        flags);
  }

  /** The counters of the process; those of this policy until its first new block. */
  PlacementMetrics metrics() {
    return metrics;
  }

  /** The rule for a file; null if there is none or the lookup failed. */
  private @Nullable Match find(LazyHints known, String path, boolean isNewBlock) {
    try {
      if (isNewBlock && !started.get()) {
        start(known);
      }
      return known.lookup(path).orElse(null);
    } catch (RuntimeException | Error fault) {
      // Java throws OutOfMemoryError if it cannot create a thread.
      metrics.failed();
      known.logFailure(path, fault);
      return null;
    }
  }

  /** The targets by a hint; null if following it failed. */
  private DatanodeStorageInfo @Nullable [] follow(
      Hint hint, BlockPlacementView view, LazyHints known) {
    BlockTargetRequest request = view.request();
    try {
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
      return placed.length == 0 ? null : placed;
    } catch (NotEnoughReplicasException | RuntimeException | Error fault) {
      metrics.failed();
      known.logFailure(request.src(), fault);
      return null;
    }
  }

  private void count(
      BlockTargetRequest request, PlacementPlan<NodeSite> plan, List<NodeSite> placed) {
    PlacementMetrics counters = metrics;
    for (RejectionReason reason : plan.reasons()) {
      counters.rejected(plan.kind(), reason);
    }
    if (!plan.directed()) {
      for (NodeSite site : plan.wanted()) {
        if (!placed.contains(site)) {
          rejections(request)
              .of(site.node())
              .ifPresent(reason -> counters.rejected(plan.kind(), reason));
        }
      }
    }
    counters.decided(plan.kind(), plan.outcome(request.replicas(), placed));
  }

  private void start(LazyHints known) {
    if (known.isEnabled() && started.compareAndSet(false, true)) {
      metrics = PlacementMetrics.registered();
      metrics.watch(known::status);
      Cleaner.create().register(this, known::close);
      known.start();
    }
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
    int[] limits = getMaxNodesPerRack(request.chosen().size(), plan.targets());
    int end = request.chosen().size() + limits[0];
    boolean avoidStale = avoidsStale();
    EnumMap<StorageType, Integer> types = request.storageTypes(end);
    BlockTargetRequest.without(types, all.subList(request.chosen().size(), all.size()));
    Set<Node> tried = request.excludedAnd(all);
    for (NodeSite site : sites) {
      if (all.size() >= end || types.isEmpty()) {
        break;
      }
      // Adds to all, types and tried. Favoured nodes are allowed to be busy.
      DatanodeStorageInfo taken =
          chooseLocalOrFavoredStorage(
              site.node(), true, tried, request.blockSize(), limits[1], all, avoidStale, types);
      if (taken == null) {
        new NodeRejections(this, request, request.storageTypes(end).keySet(), avoidStale)
            .of(site.node(), limits[1], all)
            .ifPresent(reason -> metrics.rejected(plan.kind(), reason));
      }
    }
    return end;
  }

  /** Creates the checks that tell why a DataNode cannot take a block. */
  NodeRejections rejections(BlockTargetRequest request) {
    return new NodeRejections(
        this,
        request,
        request.storageTypes(request.replicas() + request.chosen().size()).keySet(),
        avoidsStale());
  }

  private boolean avoidsStale() {
    return clusterStats != null && clusterStats.isAvoidingStaleDataNodesForWrite();
  }

  private DatanodeStorageInfo[] placeStock(
      BlockTargetRequest request, int replicas, List<DatanodeStorageInfo> chosen) {
    return super.chooseTarget(
        request.src(),
        replicas,
        request.writer(),
        chosen,
        false,
        request.excludedAnd(chosen),
        request.blockSize(),
        request.storagePolicy(),
        request.flags());
  }

  private DatanodeStorageInfo[] inPipelineOrder(
      BlockTargetRequest request, List<DatanodeStorageInfo> placed) {
    Node writer = request.writer();
    Node start = writer != null && clusterMap.contains(writer) ? writer : null;
    return PipelineOrder.nearestFirst(
            placed, start, DatanodeStorageInfo::getDatanodeDescriptor, clusterMap::getDistance)
        .toArray(DatanodeStorageInfo[]::new);
  }

  private static List<NodeSite> sites(DatanodeStorageInfo[] storages) {
    List<NodeSite> sites = new ArrayList<>(storages.length);
    for (DatanodeStorageInfo storage : storages) {
      sites.add(new NodeSite(storage.getDatanodeDescriptor()));
    }
    return sites;
  }
}
