package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.PlacementView;
import dev.weir.hdfs.placement.Sites;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The NameNode's view of one block, for the thread that places it. */
@NullMarked
final class BlockPlacementView implements PlacementView<NodeSite> {
  private final BlockTargetRequest ask;
  private final int minReplicas;
  private final Cluster cluster;
  private @Nullable Sites<NodeSite> sites;
  private NodeEligibility.@Nullable Answers answers;
  private @Nullable NodeRejections refusals;

  /**
   * Creates a view.
   *
   * @param ask the request
   * @param minReplicas how many replicas complete a block
   * @param cluster the possible nodes
   */
  BlockPlacementView(BlockTargetRequest ask, int minReplicas, Cluster cluster) {
    this.ask = ask;
    this.minReplicas = minReplicas;
    this.cluster = cluster;
  }

  /** What the policy knows of the NameNode's cluster. */
  interface Cluster {
    /** Whether a DataNode is in the topology. */
    boolean contains(DatanodeDescriptor node);

    /** All DataNodes. */
    Sites<NodeSite> sites();

    /** The cached eligibility of nodes for such a block. */
    NodeEligibility.Answers answers(BlockTargetRequest ask, Sites<NodeSite> sites);

    /** The checks of a node. */
    NodeRejections refusals(BlockTargetRequest ask);

    /** The index of the block in its file. */
    OptionalInt index(BlockTargetRequest ask);
  }

  /** The request. */
  BlockTargetRequest ask() {
    return ask;
  }

  @Override
  public String path() {
    return ask.src();
  }

  @Override
  public boolean isNewBlock() {
    return ask.isNewBlock();
  }

  @Override
  public int replicas() {
    return ask.replicas();
  }

  @Override
  public int minReplicas() {
    return minReplicas;
  }

  @Override
  public long blockSize() {
    return ask.blockSize();
  }

  @Override
  public OptionalInt blockIndex() {
    return cluster.index(ask);
  }

  @Override
  public @Nullable NodeSite writer() {
    return ask.writer() instanceof DatanodeDescriptor node && cluster.contains(node)
        ? new NodeSite(node)
        : null;
  }

  @Override
  public List<NodeSite> chosen() {
    if (ask.chosen().isEmpty()) {
      return List.of();
    }
    List<NodeSite> nodes = new ArrayList<>(ask.chosen().size());
    ask.chosen().forEach(storage -> nodes.add(new NodeSite(storage.getDatanodeDescriptor())));
    return nodes;
  }

  @Override
  public Sites<NodeSite> sites() {
    Sites<NodeSite> present = sites;
    if (present == null) {
      present = cluster.sites();
      sites = present;
    }
    return present;
  }

  @Override
  public boolean isAble(int number) {
    NodeEligibility.Answers known = answers;
    if (known == null) {
      known = cluster.answers(ask, sites());
      answers = known;
    }
    return known.get(number, this::canTake);
  }

  private boolean canTake(DatanodeDescriptor node) {
    NodeRejections rules = refusals;
    if (rules == null) {
      rules = cluster.refusals(ask);
      refusals = rules;
    }
    return rules.ofBlocks(node).isEmpty();
  }
}
