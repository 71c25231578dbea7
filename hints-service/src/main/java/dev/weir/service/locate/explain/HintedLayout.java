package dev.weir.service.locate.explain;

import dev.weir.hdfs.CreateParameterResolver;
import dev.weir.hdfs.placement.PlacementPlan;
import dev.weir.hdfs.placement.PlacementPlanner;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a hint asks for a file, given the file and the current DataNodes.
 *
 * @param replicas the number of replicas; 0 if the hint does not say
 * @param nodes the wanted nodes, best first; empty if the hint names none
 * @param why an explanation
 */
public record HintedLayout(int replicas, List<DataNode> nodes, String why) {
  /** HDFS's own limits, as clients that follow hints apply them. */
  private static final CreateParameterResolver LIMITS =
      new CreateParameterResolver(1, 512, Hint.MIN_BLOCK_SIZE, (int) Hint.BLOCK_SIZE_UNIT);

  public HintedLayout {
    nodes = List.copyOf(nodes);
  }

  /** Returns the layout of a path without a rule. */
  static HintedLayout nothing() {
    return new HintedLayout(0, List.of(), "no rule applies to the path; it is as in stock HDFS");
  }

  /**
   * Returns the layout that a hint asks for.
   *
   * @param size the size of the file and its blocks
   */
  static HintedLayout of(Hint hint, String path, FileSize size, ClusterNodes cluster) {
    int replicas = LIMITS.replication(hint).orElse(0);
    int copies = replicas > 0 ? replicas : size.replication();
    Placement placement = hint.placement().orElseGet(Placement.Spread::new);
    if (placement instanceof Placement.Local) {
      return new HintedLayout(
          replicas,
          List.of(),
          "the first replica of each block on the writer's node" + others(hint, copies));
    }
    if (placement instanceof Placement.Collocate collocate) {
      int onAnchors = hint.isLazy() ? copies - 1 : copies;
      return new HintedLayout(
          replicas,
          copies(hint, path, size, cluster, onAnchors),
          (hint.isLazy() ? "the first replica on the writer's node, the others" : "all replicas")
              + " on the anchors of the group '"
              + collocate.group()
              + "'"
              + unknown(cluster));
    }
    if (placement instanceof Placement.Nodes named) {
      return new HintedLayout(
          replicas,
          copies(hint, path, size, cluster, copies),
          "on the first of "
              + String.join(", ", named.hosts())
              + " that can take it"
              + unknown(cluster));
    }
    if (placement instanceof Placement.Scatter scatter) {
      return new HintedLayout(
          replicas,
          regions(hint, scatter.regionBytes(), path, size, cluster),
          "each region of "
              + scatter.regionBytes()
              + " bytes on one node, successive regions on different ones; the order"
              + " is that of a file written now"
              + unknown(cluster));
    }
    return new HintedLayout(
        replicas,
        List.of(),
        replicas > 1 && !hint.isLazy()
            ? replicas + " replicas written by the client, on nodes that HDFS chooses"
            : "nodes that HDFS chooses" + others(hint, copies));
  }

  /** Returns the block size that the hint leads to; empty if the hint does not say. */
  static OptionalLong blockSize(Hint hint, long stock) {
    return LIMITS.blockSize(hint, stock);
  }

  private static String others(Hint hint, int copies) {
    int later = copies - PlacementPlanner.lazyStart(hint, copies, 1);
    return hint.isLazy() && later > 0
        ? "; HDFS makes " + (later == 1 ? "one more" : later + " more") + " after the write"
        : "";
  }

  private static String unknown(ClusterNodes cluster) {
    return cluster.isKnown() ? "" : " (which are not known: " + cluster.unknown() + ")";
  }

  private static List<DataNode> copies(
      Hint hint, String path, FileSize size, ClusterNodes cluster, int copies) {
    if (copies < 1) {
      return List.of();
    }
    return PlacementPlanner.plan(hint, HintedBlockView.ofCopies(path, size, cluster, copies))
        .best();
  }

  /** One node per region, starting over after the last node. */
  private static List<DataNode> regions(
      Hint hint, long regionBytes, String path, FileSize size, ClusterNodes cluster) {
    long blockSize = Math.max(1, size.blockSize());
    long regions = Math.max(1, (size.length() + regionBytes - 1) / regionBytes);
    long blocksOfRegion = Math.max(1, regionBytes / blockSize);
    List<DataNode> nodes = new ArrayList<>();
    for (long region = 0; region < regions && region < cluster.live().size(); region++) {
      PlacementPlan<DataNode> plan =
          PlacementPlanner.plan(
              hint,
              HintedBlockView.ofNewBlock(
                  path, size, cluster, Math.toIntExact(region * blocksOfRegion)));
      if (plan.wanted().isEmpty() || nodes.contains(plan.wanted().get(0))) {
        return nodes;
      }
      nodes.add(plan.wanted().get(0));
    }
    return nodes;
  }

  /**
   * The properties of an existing or future file that the layout depends on.
   *
   * @param length the length in bytes
   * @param replication the replication factor
   * @param blockSize the block size in bytes
   */
  record FileSize(long length, int replication, long blockSize) {
    static FileSize of(FileInfo file) {
      return new FileSize(file.length(), file.replication(), file.blockSize());
    }
  }
}
