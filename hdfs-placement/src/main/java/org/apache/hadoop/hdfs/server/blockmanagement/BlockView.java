package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.PlacementView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * One block as the NameNode shows it.
 *
 * @param ask what is asked for
 * @param minReplicas how many replicas make a block count as written
 * @param topology all DataNodes
 * @param refusals which of them cannot take the block
 * @param index finds out which block of its file it is
 */
@NullMarked
record BlockView(
    BlockAsk ask,
    int minReplicas,
    NetworkTopology topology,
    Supplier<Refusals> refusals,
    Supplier<OptionalInt> index)
    implements PlacementView<NodeSite> {

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
  public long blockSize() {
    return ask.blockSize();
  }

  @Override
  public OptionalInt blockIndex() {
    return index.get();
  }

  @Override
  public @Nullable NodeSite writer() {
    return ask.writer() instanceof DatanodeDescriptor node && topology.contains(node)
        ? new NodeSite(node)
        : null;
  }

  @Override
  public List<NodeSite> chosen() {
    return ask.chosen().stream()
        .map(storage -> new NodeSite(storage.getDatanodeDescriptor()))
        .toList();
  }

  @Override
  public Collection<NodeSite> sites() {
    List<NodeSite> sites = new ArrayList<>();
    for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node) {
        sites.add(new NodeSite(node));
      }
    }
    return sites;
  }

  @Override
  public Collection<NodeSite> ableSites() {
    Refusals rules = refusals.get();
    return sites().stream().filter(site -> rules.ofBlocks(site.node()).isEmpty()).toList();
  }
}
