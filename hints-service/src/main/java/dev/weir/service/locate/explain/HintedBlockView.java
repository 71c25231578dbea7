package dev.weir.service.locate.explain;

import dev.weir.hdfs.placement.PlacementView;
import dev.weir.hdfs.placement.Sites;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A block of a file as if it were placed now, by a writer that is on no DataNode. */
record HintedBlockView(
    String path,
    boolean isNewBlock,
    int replicas,
    long blockSize,
    OptionalInt blockIndex,
    ClusterNodes cluster)
    implements PlacementView<DataNode> {

  static HintedBlockView ofCopies(
      String path, HintedLayout.FileSize size, ClusterNodes cluster, int replicas) {
    return new HintedBlockView(
        path, false, replicas, size.blockSize(), OptionalInt.empty(), cluster);
  }

  static HintedBlockView ofNewBlock(
      String path, HintedLayout.FileSize size, ClusterNodes cluster, int index) {
    return new HintedBlockView(
        path,
        true,
        Math.max(1, size.replication()),
        size.blockSize(),
        OptionalInt.of(index),
        cluster);
  }

  @Override
  public int minReplicas() {
    return 1;
  }

  @Override
  public int defaultReplication() {
    return replicas;
  }

  @Override
  public boolean isBacklogged() {
    return false;
  }

  @Override
  public @Nullable DataNode writer() {
    return null;
  }

  @Override
  public List<DataNode> chosen() {
    return List.of();
  }

  @Override
  public Sites<DataNode> sites() {
    return Sites.of(cluster.live());
  }

  @Override
  public boolean isEligible(int number) {
    return cluster.live().get(number).isEligible(blockSize);
  }
}
