package dev.weir.workflow.estimate;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The nodes on which HDFS stores a file: the writer's and others at random, as stock HDFS chooses
 * them, or in mode weir those that the inferred hints imply. The choice depends on the file's name
 * only, so that an estimate can be repeated.
 */
final class OutputPlacement {

  private static final String DIRECTORY = "/estimate";

  private final EstimateCluster cluster;
  private final HintIndex hints;

  private OutputPlacement(EstimateCluster cluster, HintIndex hints) {
    this.cluster = cluster;
    this.hints = hints;
  }

  /**
   * The nodes of a file's replicas.
   *
   * @param first in the order of the write's pipeline; the task ends when these have the file
   * @param later those that get it afterwards
   */
  record Nodes(List<String> first, List<String> later) {}

  static OutputPlacement of(Workflow workflow, Mode mode, EstimateCluster cluster) {
    if (mode != Mode.WEIR) {
      return new OutputPlacement(cluster, HintIndex.empty());
    }
    ClusterShape shape =
        new ClusterShape(cluster.nodes().size(), cluster.storage().replication())
            .with(
                new FetchModel((long) cluster.rates().linkBytesPerSecond(), true)
                    .withFilesOnNodes(true));
    HintSet rules =
        new HintSet(
            "estimate",
            "estimate",
            null,
            HintInference.infer(workflow, DIRECTORY, shape).stream()
                .map(InferredHint::rule)
                .toList());
    return new OutputPlacement(cluster, HintIndex.of(List.of(rules)));
  }

  /** The nodes of an input of the workflow whose places are not known: as stock HDFS has it. */
  List<String> input(String file) {
    int replicas = cluster.replicas(cluster.storage().replication());
    return IntStream.range(0, replicas).mapToObj(i -> node(file, i)).toList();
  }

  Nodes output(String file, String writer) {
    return nodes(file, writer);
  }

  private Nodes nodes(String file, String writer) {
    Hint hint =
        hints.lookup(DIRECTORY + "/" + file).map(Match::hint).orElse(Hint.builder().build());
    Replication replication =
        hint.replication().orElse(Replication.eager(cluster.storage().replication()));
    int target =
        cluster.replicas(
            replication.hasTarget() ? replication.target() : cluster.storage().replication());
    List<String> all = new ArrayList<>();
    all.add(
        hint.placement().orElse(null) instanceof Placement.Collocate group
            ? node(group.group() + Math.floorMod(file.hashCode(), group.spread()), 0)
            : writer);
    for (int i = 0; all.size() < target; i++) {
      String other = node(file, i);
      if (!all.contains(other)) {
        all.add(other);
      }
    }
    int first = hint.isLazy() ? Math.min(target, hint.isTemporary() ? 1 : 2) : target;
    return new Nodes(List.copyOf(all.subList(0, first)), List.copyOf(all.subList(first, target)));
  }

  private String node(String name, int offset) {
    List<String> nodes = cluster.nodes();
    // String.hashCode of similar names differs in the low bits only.
    int mixed = name.hashCode() * 0x9E3779B1;
    return nodes.get(Math.floorMod((mixed >>> 8) + offset, nodes.size()));
  }
}
