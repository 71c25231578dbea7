package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.version.StorageRoom;
import dev.weir.hints.index.Match;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Block placement that follows hints, on top of another policy; set it as {@code
 * dfs.block.replicator.classname}. It is in Hadoop's package because it needs package-private
 * members. {@link HintedTargets} chooses the targets of blocks with a hint.
 *
 * <p>The base policy, {@value #BASE_KEY}, does everything else: blocks without a hint, blocks for
 * which the program named nodes or excluded the local one, pipeline recovery, any failure to follow
 * a hint, verification and deletion. No call waits for hints.
 */
@NullMarked
public final class WeirBlockPlacementPolicy extends BlockPlacementPolicyDefault {
  /**
   * The class of the base policy: {@link BlockPlacementPolicyDefault} (the default) or a subclass.
   */
  public static final String BASE_KEY = "weir.block.replicator.base";

  private static final Logger LOG = LoggerFactory.getLogger(WeirBlockPlacementPolicy.class);

  private final Function<Configuration, LazyHints> hintsFactory;
  private final LongSupplier nanoTime;
  private final AtomicBoolean started = new AtomicBoolean();
  private BlockPlacementPolicyDefault base = new BlockPlacementPolicyDefault();
  private @Nullable LazyHints hints;
  private @Nullable HintedTargets hintedTargets;
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
   *
   * @throws RuntimeException if the base policy cannot be used. Stock HDFS also fails if its policy
   *     cannot be used.
   */
  @Override
  public void initialize(
      Configuration conf,
      @Nullable FSClusterStats stats,
      @Nullable NetworkTopology topology,
      @Nullable Host2NodesMap hosts) {
    super.initialize(conf, stats, topology, hosts);
    base = newBase(conf);
    base.initialize(conf, stats, topology, hosts);
    try {
      LazyHints known = hintsFactory.apply(conf);
      hints = known;
      if (topology != null) {
        hintedTargets =
            new HintedTargets(
                base, new NameNodeCluster(base, topology, stats, conf, nanoTime), () -> metrics);
      }
      if (stats != null) {
        start(known);
      }
    } catch (RuntimeException | Error e) {
      // A NameNode must start without hints too, for instance if the jar that reads them is missing
      // or no thread can be created. Thread creation is retried with the first block.
      LOG.warn("Hints cannot be used; files get stock values", e);
    }
  }

  private static BlockPlacementPolicyDefault newBase(Configuration conf) {
    Class<? extends BlockPlacementPolicyDefault> type =
        conf.getClass(
            BASE_KEY, BlockPlacementPolicyDefault.class, BlockPlacementPolicyDefault.class);
    if (type == WeirBlockPlacementPolicy.class) {
      throw new IllegalArgumentException(
          BASE_KEY + " is " + type.getName() + "; set it to the policy that Weir's extends");
    }
    return ReflectionUtils.newInstance(type, conf);
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
    if (!returnChosenNodes && BlockTargetRequest.isOpenToHints(flags, chosen)) {
      DatanodeStorageInfo[] targets =
          chooseByHint(
              new BlockTargetRequest(
                  srcPath,
                  numOfReplicas,
                  writer,
                  chosen,
                  excludedNodes,
                  blocksize,
                  storagePolicy,
                  flags));
      if (targets != null) {
        return targets;
      }
    }
    return base.chooseTarget(
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

  /** The targets by the file's hint; null if it has none or following it failed. */
  private DatanodeStorageInfo @Nullable [] chooseByHint(BlockTargetRequest request) {
    LazyHints known = hints;
    HintedTargets targets = hintedTargets;
    if (known == null || targets == null) {
      return null;
    }
    try {
      if (request.isNewBlock() && !started.get()) {
        start(known);
      }
      Match match = known.lookup(request.src()).orElse(null);
      return match == null ? null : targets.choose(match.hint(), request);
    } catch (NotEnoughReplicasException | RuntimeException | Error fault) {
      // Java throws OutOfMemoryError if it cannot create a thread.
      metrics.failed();
      known.logFailure(request.src(), fault);
      return null;
    }
  }

  private void start(LazyHints known) {
    if (known.isEnabled() && started.compareAndSet(false, true)) {
      metrics = PlacementMetrics.registered();
      metrics.watch(known::status);
      HintedTargets targets = hintedTargets;
      if (targets != null) {
        targets.publish(metrics);
      }
      Cleaner.create().register(this, known::close);
      known.start();
    }
  }

  // All below is the base policy's.

  @Override
  DatanodeStorageInfo[] chooseTarget(
      String src,
      int numOfReplicas,
      @Nullable Node writer,
      @Nullable Set<Node> excludedNodes,
      long blocksize,
      @Nullable List<DatanodeDescriptor> favoredNodes,
      BlockStoragePolicy storagePolicy,
      @Nullable EnumSet<AddBlockFlag> flags) {
    if (favoredNodes == null || favoredNodes.isEmpty()) {
      return chooseTarget(
          src,
          numOfReplicas,
          writer,
          new ArrayList<>(numOfReplicas),
          false,
          excludedNodes,
          blocksize,
          storagePolicy,
          flags);
    }
    return base.chooseTarget(
        src, numOfReplicas, writer, excludedNodes, blocksize, favoredNodes, storagePolicy, flags);
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
      @Nullable EnumSet<AddBlockFlag> flags,
      @Nullable EnumMap<StorageType, Integer> storageTypes) {
    return base.chooseTarget(
        srcPath,
        numOfReplicas,
        writer,
        chosen,
        returnChosenNodes,
        excludedNodes,
        blocksize,
        storagePolicy,
        flags,
        storageTypes);
  }

  @Override
  public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] locs, int numberOfReplicas) {
    return base.verifyBlockPlacement(locs, numberOfReplicas);
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> availableReplicas,
      Collection<DatanodeStorageInfo> delCandidates,
      int expectedNumOfReplicas,
      List<StorageType> excessTypes,
      @Nullable DatanodeDescriptor addedNode,
      @Nullable DatanodeDescriptor delNodeHint) {
    return base.chooseReplicasToDelete(
        availableReplicas,
        delCandidates,
        expectedNumOfReplicas,
        excessTypes,
        addedNode,
        delNodeHint);
  }

  @Override
  public DatanodeStorageInfo chooseReplicaToDelete(
      Collection<DatanodeStorageInfo> moreThanOne,
      Collection<DatanodeStorageInfo> exactlyOne,
      List<StorageType> excessTypes,
      Map<String, List<DatanodeStorageInfo>> rackMap) {
    return base.chooseReplicaToDelete(moreThanOne, exactlyOne, excessTypes, rackMap);
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> locs, DatanodeInfo source, DatanodeInfo target) {
    return base.isMovable(locs, source, target);
  }

  /** Hadoop's own methods of this class that split replicas by rack call it. */
  @Override
  protected String getRack(DatanodeInfo datanode) {
    return base.getRack(datanode);
  }

  @Override
  boolean isGoodDatanode(
      DatanodeDescriptor node,
      int maxTargetPerRack,
      boolean considerLoad,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return base.isGoodDatanode(node, maxTargetPerRack, considerLoad, results, avoidStaleNodes);
  }

  @Override
  boolean excludeNodeByLoad(DatanodeDescriptor node) {
    return base.excludeNodeByLoad(node);
  }

  @Override
  void setPreferLocalNode(boolean prefer) {
    base.setPreferLocalNode(prefer);
  }

  @Override
  public void setExcludeSlowNodesEnabled(boolean enable) {
    base.setExcludeSlowNodesEnabled(enable);
  }

  @Override
  public boolean getExcludeSlowNodesEnabled() {
    return base.getExcludeSlowNodesEnabled();
  }

  @Override
  public void setMinBlocksForWrite(int minBlocks) {
    StorageRoom.setMinBlocks(base, minBlocks);
  }

  @Override
  public int getMinBlocksForWrite() {
    return StorageRoom.minBlocks(base);
  }
}
