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
  private final BlockTargetRequest request;
  private final NameNodeCluster cluster;
  private @Nullable Sites<NodeSite> sites;
  private NodeEligibility.@Nullable Results eligibility;
  private @Nullable NodeRejections rejections;

  BlockPlacementView(BlockTargetRequest request, NameNodeCluster cluster) {
    this.request = request;
    this.cluster = cluster;
  }

  @Override
  public String path() {
    return request.src();
  }

  @Override
  public boolean isNewBlock() {
    return request.isNewBlock();
  }

  @Override
  public int replicas() {
    return request.replicas();
  }

  @Override
  public int minReplicas() {
    return cluster.minReplicas();
  }

  @Override
  public int defaultReplication() {
    return cluster.defaultReplication();
  }

  @Override
  public boolean isBacklogged() {
    return cluster.isBacklogged();
  }

  @Override
  public long blockSize() {
    return request.blockSize();
  }

  @Override
  public OptionalInt blockIndex() {
    return cluster.index(request);
  }

  @Override
  public @Nullable NodeSite writer() {
    return request.writer() instanceof DatanodeDescriptor node && cluster.contains(node)
        ? cluster.site(node)
        : null;
  }

  @Override
  public List<NodeSite> chosen() {
    if (request.chosen().isEmpty()) {
      return List.of();
    }
    List<NodeSite> nodes = new ArrayList<>(request.chosen().size());
    request.chosen().forEach(storage -> nodes.add(cluster.site(storage.getDatanodeDescriptor())));
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
  public boolean isEligible(int number) {
    NodeEligibility.Results known = eligibility;
    if (known == null) {
      known = cluster.eligibility(request, sites());
      eligibility = known;
    }
    return known.get(number, this::canTake);
  }

  private boolean canTake(DatanodeDescriptor node) {
    NodeRejections rules = rejections;
    if (rules == null) {
      rules = cluster.rejections(request);
      rejections = rules;
    }
    return rules.forAnyClient(node).isEmpty();
  }
}
