package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.PlacementView;
import dev.weir.hdfs.placement.Sites;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** One block as the NameNode shows it; for the thread that places it. */
@NullMarked
final class BlockPlacementView implements PlacementView<NodeSite> {
  private final BlockTargetRequest ask;
  private final int minReplicas;
  private final Cluster cluster;
  private @Nullable Sites<NodeSite> sites;
  private NodeEligibility.@Nullable Answers answers;
  private @Nullable NodeRejections refusals;

  /**
   * A block.
   *
   * @param ask what is asked for
   * @param minReplicas how many replicas make a block count as written
   * @param cluster where it may go
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

    /** Which of them can take a block like this, as far as that is known. */
    NodeEligibility.Answers answers(BlockTargetRequest ask, Sites<NodeSite> sites);

    /** Finds out whether one can. */
    NodeRejections refusals(BlockTargetRequest ask);

    /** Which block of its file it is. */
    OptionalInt index(BlockTargetRequest ask);
  }

  /** What is asked for. */
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
