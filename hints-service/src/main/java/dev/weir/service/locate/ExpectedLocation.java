package dev.weir.service.locate;

import dev.weir.hdfs.placement.Anchors;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Predicts where a file that does not exist yet will be. Free of side effects. */
final class ExpectedLocation {
  private static final int MAX_ANCHORS = 9;

  private ExpectedLocation() {}

  /**
   * Returns the first node that the hint names and that can take the file; empty if the hint names
   * none.
   */
  static Optional<DataNode> first(Hint hint, String path, ClusterNodes nodes) {
    List<DataNode> candidates = new ArrayList<>();
    if (hint.placement().orElse(null) instanceof Placement.Collocate collocate) {
      candidates.addAll(
          Anchors.ofFile(collocate.group(), collocate.spread(), path, nodes.live(), MAX_ANCHORS));
    } else if (hint.placement().orElse(null) instanceof Placement.Nodes named) {
      for (String host : named.hosts()) {
        nodes.live().stream()
            .filter(
                node ->
                    node.host().equalsIgnoreCase(host)
                        || (node.host() + ":" + node.port()).equalsIgnoreCase(host))
            .forEach(candidates::add);
      }
    }
    return candidates.stream().filter(node -> node.isEligible(0)).findFirst();
  }
}
