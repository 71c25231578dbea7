package dev.weir.service.locate.explain;

import dev.weir.hdfs.placement.Anchors;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.service.locate.explain.LocationExplanation.Difference;
import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.Replica;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the differences between a file and its hint, with their known reasons. Free of side
 * effects.
 */
final class Differences {
  private static final String UNEXPLAINED =
      "no known fact explains it: a node may have been full or unavailable when the block was"
          + " placed, or excluded by the client, and HDFS moves no block that has enough replicas";

  private final Hint hint;
  private final HintedLayout wanted;
  private final FileInfo file;
  private final ClusterNodes cluster;
  private final DifferenceCauses causes;
  private final List<Difference> differences = new ArrayList<>();

  /**
   * Creates a comparison for one file.
   *
   * @param file must not be a directory
   */
  Differences(
      Hint hint,
      HintedLayout wanted,
      FileInfo file,
      ClusterNodes cluster,
      DifferenceCauses causes) {
    this.hint = hint;
    this.wanted = wanted;
    this.file = file;
    this.cluster = cluster;
    this.causes = causes;
  }

  /** Returns the differences, those of the whole file first. */
  List<Difference> find(String path) {
    if (file.striped()) {
      add("the file is erasure-coded", "hints apply to replicated files; HDFS places its stripes");
      return differences;
    }
    replication();
    blockSize();
    replicas();
    replacedNodes(path);
    Placement placement = hint.placement().orElseGet(Placement.Spread::new);
    if (placement instanceof Placement.Local) {
      localPlacement();
    } else if (placement instanceof Placement.Scatter scatter) {
      scatter(scatter.regionBytes());
    } else {
      wanted.nodes().forEach(this::node);
    }
    cache();
    return differences;
  }

  private void replication() {
    int replicas = wanted.replicas();
    if (replicas == 0 || replicas == file.replication()) {
      return;
    }
    add(
        "the file's replication is " + file.replication() + ", not " + replicas,
        causes.ofReplication(file.replication()));
  }

  private void blockSize() {
    OptionalLong size = HintedLayout.blockSize(hint, file.blockSize());
    boolean isScatter = hint.placement().orElse(null) instanceof Placement.Scatter;
    if (size.isEmpty() || size.getAsLong() == file.blockSize()) {
      return;
    }
    if (isScatter && hint.placement().orElseThrow() instanceof Placement.Scatter scatter) {
      long region = scatter.regionBytes();
      if (region % file.blockSize() == 0 || file.blockSize() % region == 0) {
        return;
      }
    }
    String what =
        "the block size is "
            + file.blockSize()
            + ", not "
            + size.getAsLong()
            + (isScatter ? ", so that regions end within blocks" : "");
    add(what, causes.ofBlockSize());
  }

  /** Reports blocks that have fewer replicas than the file should have. */
  private void replicas() {
    int target = file.replication();
    long fewer = file.blocks().stream().filter(block -> block.replicas().size() < target).count();
    if (fewer == 0) {
      return;
    }
    int fewest = file.blocks().stream().mapToInt(block -> block.replicas().size()).min().orElse(0);
    String what =
        fewer
            + " of "
            + file.blocks().size()
            + " blocks have fewer replicas than "
            + target
            + ", at least "
            + fewest;
    add(what, whyFewer(target, fewest));
  }

  private String whyFewer(int target, int fewest) {
    if (fewest == 0) {
      return "the DataNodes with the missing replicas are dead, or have not reported yet";
    }
    if (file.open()) {
      return "the file is being written";
    }
    if (cluster.isKnown() && cluster.live().size() < target) {
      return "there are only "
          + cluster.live().size()
          + " live DataNodes, and none takes a second replica";
    }
    if (hint.isLazy()) {
      return "the hint is lazy: the client writes one replica, HDFS makes the others afterwards";
    }
    return cluster.dead().isEmpty()
        ? "HDFS has not made the copies yet"
        : "HDFS has not made the copies yet; dead: " + names(cluster.dead());
  }

  /** Reports anchors and named nodes that are replaced by others. */
  private void replacedNodes(String path) {
    if (!cluster.isKnown()) {
      return;
    }
    Placement placement = hint.placement().orElseGet(Placement.Spread::new);
    if (placement instanceof Placement.Collocate collocate && !cluster.dead().isEmpty()) {
      List<DataNode> all = new ArrayList<>(cluster.live());
      all.addAll(cluster.dead());
      Anchors.ofFile(
              collocate.group(), collocate.spread(), path, all, Math.max(1, wanted.nodes().size()))
          .stream()
          .filter(node -> node.state() == DataNode.State.DEAD)
          .forEach(
              node ->
                  add(
                      cluster.name(node)
                          + " is not an anchor of the group '"
                          + collocate.group()
                          + "'",
                      "it is dead; the next node in the group's order replaces it"));
    } else if (placement instanceof Placement.Nodes named) {
      named.hosts().forEach(this::unavailableNode);
    }
  }

  private void unavailableNode(String host) {
    if (cluster.live().stream().noneMatch(node -> hasName(node, host))) {
      add(
          host + " has no replica",
          cluster.dead().stream().anyMatch(node -> hasName(node, host))
              ? "it is dead"
              : "no DataNode has that name");
    }
  }

  private static boolean hasName(DataNode node, String name) {
    String host = node.host().toLowerCase(Locale.ROOT);
    String given = name.toLowerCase(Locale.ROOT);
    return given.equals(host) || given.equals(host + ":" + node.port());
  }

  private void node(DataNode node) {
    long missing = file.blocks().stream().filter(block -> !block.isOn(node)).count();
    if (missing == 0) {
      return;
    }
    String what =
        cluster.name(node) + " lacks " + missing + " of " + file.blocks().size() + " blocks";
    if (node.state() != DataNode.State.IN_SERVICE) {
      add(what, "it " + node.state().description());
    } else if (node.remaining() < file.blockSize()) {
      add(what, "it has room for " + node.remaining() + " bytes, less than a block");
    } else {
      add(what, causes.ofPlacement().orElse(hint.isLazy() ? whyLazy() : UNEXPLAINED));
    }
  }

  private String whyLazy() {
    boolean complete =
        file.blocks().stream().allMatch(block -> block.replicas().size() >= file.replication());
    return complete ? UNEXPLAINED : "the hint is lazy: HDFS makes the copies after the write";
  }

  private void localPlacement() {
    if (file.blocks().size() > 1 && common(file.blocks()).isEmpty()) {
      add(
          "no node has all blocks",
          causes
              .ofPlacement()
              .orElse(
                  "the writer's host has no DataNode, or it was full; HDFS does not record who"
                      + " wrote a file"));
    }
  }

  private void scatter(long regionBytes) {
    List<FileBlock> region = new ArrayList<>();
    long broken = 0;
    long number = 0;
    for (FileBlock block : file.blocks()) {
      if (block.offset() / regionBytes != number) {
        broken += region.size() > 1 && common(region).isEmpty() ? 1 : 0;
        region.clear();
        number = block.offset() / regionBytes;
      }
      region.add(block);
    }
    broken += region.size() > 1 && common(region).isEmpty() ? 1 : 0;
    if (broken > 0) {
      add(
          broken + " regions are not complete on any node",
          causes.ofPlacement().orElse(UNEXPLAINED));
    }
  }

  private void cache() {
    long uncached =
        file.blocks().stream()
            .filter(block -> block.replicas().stream().noneMatch(Replica::cached))
            .count();
    if (hint.cache() && uncached > 0) {
      add(
          uncached + " of " + file.blocks().size() + " blocks are in no DataNode's memory",
          "the service's leader caches the files that rules name, and of the files that a"
              + " pattern matches at most weir.server.reconciler.cache-files; a DataNode"
              + " caches at most dfs.datanode.max.locked.memory");
    }
  }

  /** Returns the DataNodes that have all of the blocks. */
  private static Set<String> common(List<FileBlock> blocks) {
    Set<String> common = new HashSet<>();
    boolean first = true;
    for (FileBlock block : blocks) {
      Set<String> holders = new HashSet<>();
      block.replicas().forEach(one -> holders.add(one.host() + ":" + one.port()));
      if (first) {
        common.addAll(holders);
        first = false;
      } else {
        common.retainAll(holders);
      }
    }
    return common;
  }

  private String names(List<DataNode> nodes) {
    return String.join(", ", nodes.stream().map(cluster::name).sorted().toList());
  }

  private void add(String what, String why) {
    differences.add(new Difference(what, why));
  }
}
