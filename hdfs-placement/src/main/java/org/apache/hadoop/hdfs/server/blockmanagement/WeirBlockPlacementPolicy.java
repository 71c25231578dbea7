package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Kind;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.PipelineOrder;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.Plan;
import dev.weir.hdfs.placement.Planner;
import dev.weir.hints.Match;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
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
 * Stock block placement that follows hints where there are any; set it as {@code
 * dfs.block.replicator.classname}. It lives in Hadoop's package because what it calls is visible
 * only there; what is wanted is decided by {@link Planner}, and whether a node can take a block by
 * the rules that this class inherits, save that an anchor, like stock's local node, may be busy.
 *
 * <p>A block without a hint, one for which the program itself named nodes or ruled the local one
 * out, the repair of a pipeline, and any fault in following a hint are left to {@link
 * BlockPlacementPolicyDefault}. No call waits for anything of hints.
 */
@NullMarked
public final class WeirBlockPlacementPolicy extends BlockPlacementPolicyDefault {
  private static final Logger LOG = LoggerFactory.getLogger(WeirBlockPlacementPolicy.class);

  private final Function<Configuration, LazyHints> hintsOf;
  private final AtomicBoolean started = new AtomicBoolean();
  private @Nullable LazyHints hints;
  private @Nullable FSClusterStats clusterStats;
  private int minReplicas = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT;
  private volatile @Nullable FileBlocks fileBlocks;
  private volatile PlacementMetrics metrics = new PlacementMetrics();

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirBlockPlacementPolicy() {
    // A method reference would load the class here, where its absence would stop the NameNode.
    this(conf -> LazyHints.ofNameNode(conf));
  }

  /** For tests: hints from somewhere else. */
  WeirBlockPlacementPolicy(Function<Configuration, LazyHints> hintsOf) {
    this.hintsOf = hintsOf;
  }

  /**
   * Begins to read hints, in the background, when there are statistics: those are what a NameNode
   * gives its policies. Fsck, the Balancer and the Mover make policies too, without them.
   */
  @Override
  public void initialize(
      Configuration conf,
      @Nullable FSClusterStats stats,
      @Nullable NetworkTopology topology,
      @Nullable Host2NodesMap hosts) {
    super.initialize(conf, stats, topology, hosts);
    clusterStats = stats;
    minReplicas =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    try {
      LazyHints known = hintsOf.apply(conf);
      hints = known;
      if (stats != null) {
        start(known);
      }
    } catch (RuntimeException | Error e) {
      // A NameNode starts without hints too, for instance without the jar that reads them or when
      // there can be no more threads; the latter is tried again with the first block.
      LOG.warn("No hints, every file is as stock has it", e);
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
    if (!returnChosenNodes && hints != null) {
      BlockAsk ask =
          new BlockAsk(
              srcPath,
              numOfReplicas,
              writer,
              chosen,
              excludedNodes,
              blocksize,
              storagePolicy,
              flags);
      DatanodeStorageInfo[] placed = ask.isOpenToHints() ? follow(ask, hints) : null;
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

  /** The counters of the process, or of this policy until its first new block. */
  PlacementMetrics metrics() {
    return metrics;
  }

  /** The targets that a hint leads to; null when there is no hint or following it failed. */
  private DatanodeStorageInfo @Nullable [] follow(BlockAsk ask, LazyHints known) {
    try {
      if (ask.isNewBlock()) {
        start(known);
      }
      Optional<Match> match = known.lookup(ask.src());
      if (match.isEmpty()) {
        return null;
      }
      Plan<NodeSite> plan = Planner.plan(match.get().hint(), view(ask));
      DatanodeStorageInfo[] placed = plan.directed() ? direct(ask, plan) : leave(ask, plan);
      if (ask.isNewBlock() || plan.directed()) {
        plan.reasons().forEach(reason -> metrics.missed(plan.kind(), reason));
        metrics.decided(plan.kind(), plan.judge(ask.replicas(), sites(Arrays.asList(placed))));
      }
      return placed.length == 0 ? null : placed;
    } catch (NotEnoughReplicasException | RuntimeException | Error fault) {
      // An OutOfMemoryError, too, is how Java says that there can be no more threads.
      metrics.failed();
      known.failed(ask.src(), fault);
      return null;
    }
  }

  private void start(LazyHints known) {
    if (known.isEnabled() && started.compareAndSet(false, true)) {
      metrics = PlacementMetrics.registered();
      metrics.watch(known::status);
      Cleaner.create().register(this, known::close);
      known.start();
    }
  }

  private BlockView view(BlockAsk ask) {
    int most = ask.replicas() + ask.chosen().size();
    return new BlockView(
        ask,
        minReplicas,
        clusterMap,
        () -> new Refusals(this, ask, ask.storageTypes(most).keySet(), avoidsStale()),
        () -> fileBlocks().next(ask.src()));
  }

  /** The wanted nodes as far as Hadoop's rules take them, the rest as stock chooses it. */
  private DatanodeStorageInfo[] direct(BlockAsk ask, Plan<NodeSite> plan)
      throws NotEnoughReplicasException {
    List<DatanodeStorageInfo> all = new ArrayList<>(ask.chosen());
    int[] limits = getMaxNodesPerRack(all.size(), plan.targets());
    int end = all.size() + limits[0];
    EnumMap<StorageType, Integer> types = ask.storageTypes(end);
    Refusals refusals = new Refusals(this, ask, Set.copyOf(types.keySet()), avoidsStale());
    Set<Node> tried = ask.excludedAnd(all);
    for (NodeSite site : plan.wanted()) {
      if (all.size() < end && !types.isEmpty()) {
        // Adds to all, types and tried; as a favoured node, for those may be busy.
        DatanodeStorageInfo taken =
            chooseLocalOrFavoredStorage(
                site.node(), true, tried, ask.blockSize(), limits[1], all, avoidsStale(), types);
        if (taken == null) {
          refusals
              .of(site.node(), limits[1], all)
              .ifPresent(reason -> metrics.missed(plan.kind(), reason));
        }
      }
    }
    List<DatanodeStorageInfo> placed =
        new ArrayList<>(all.subList(ask.chosen().size(), all.size()));
    if (all.size() < end) {
      placed.addAll(Arrays.asList(stock(ask, end - all.size(), all)));
    }
    return plan.kind() == Kind.NODES
        ? placed.toArray(DatanodeStorageInfo[]::new)
        : inPipelineOrder(ask, placed);
  }

  /** As {@link #direct}, but where stock HDFS leads to what is wanted by itself. */
  private DatanodeStorageInfo[] leave(BlockAsk ask, Plan<NodeSite> plan) {
    DatanodeStorageInfo[] placed = stock(ask, plan.targets(), ask.chosen());
    List<NodeSite> sites = sites(Arrays.asList(placed));
    for (NodeSite site : plan.wanted()) {
      if (!sites.contains(site)) {
        int all = plan.targets() + ask.chosen().size();
        new Refusals(this, ask, ask.storageTypes(all).keySet(), avoidsStale())
            .of(site.node())
            .ifPresent(reason -> metrics.missed(plan.kind(), reason));
      }
    }
    return placed;
  }

  /** Looked for when the first hint needs them. */
  private FileBlocks fileBlocks() {
    FileBlocks present = fileBlocks;
    if (present == null) {
      present = FileBlocks.of(clusterStats);
      fileBlocks = present;
    }
    return present;
  }

  private boolean avoidsStale() {
    return clusterStats != null && clusterStats.isAvoidingStaleDataNodesForWrite();
  }

  private DatanodeStorageInfo[] stock(
      BlockAsk ask, int replicas, List<DatanodeStorageInfo> chosen) {
    return super.chooseTarget(
        ask.src(),
        replicas,
        ask.writer(),
        chosen,
        false,
        ask.excludedAnd(chosen),
        ask.blockSize(),
        ask.storagePolicy(),
        ask.flags());
  }

  private DatanodeStorageInfo[] inPipelineOrder(BlockAsk ask, List<DatanodeStorageInfo> placed) {
    Map<Node, DatanodeStorageInfo> storages = new LinkedHashMap<>();
    placed.forEach(storage -> storages.put(storage.getDatanodeDescriptor(), storage));
    Node writer = ask.writer();
    Node start = writer != null && clusterMap.contains(writer) ? writer : null;
    return PipelineOrder.nearestFirst(
            List.copyOf(storages.keySet()), start, clusterMap::getDistance)
        .stream()
        .map(storages::get)
        .toArray(DatanodeStorageInfo[]::new);
  }

  private static List<NodeSite> sites(Collection<DatanodeStorageInfo> storages) {
    return storages.stream().map(storage -> new NodeSite(storage.getDatanodeDescriptor())).toList();
  }
}
