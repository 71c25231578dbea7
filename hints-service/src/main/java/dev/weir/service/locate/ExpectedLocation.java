package dev.weir.service.locate;

import dev.weir.hdfs.placement.Anchors;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a file that is not there yet will be. Pure. */
final class ExpectedLocation {
  /** So many anchors are looked at for one that can take blocks. */
  private static final int MOST = 9;

  private ExpectedLocation() {}

  /** The first node that the hint wants the file on and that can take it; empty for no wish. */
  static Optional<DataNode> first(Hint hint, String path, ClusterNodes nodes) {
    List<DataNode> wanted = new ArrayList<>();
    if (hint.placement().orElse(null) instanceof Placement.Collocate collocate) {
      wanted.addAll(
          Anchors.ofFile(collocate.group(), collocate.spread(), path, nodes.live(), MOST));
    } else if (hint.placement().orElse(null) instanceof Placement.Nodes named) {
      for (String host : named.hosts()) {
        nodes.live().stream()
            .filter(
                node ->
                    node.host().equalsIgnoreCase(host)
                        || (node.host() + ":" + node.port()).equalsIgnoreCase(host))
            .forEach(wanted::add);
      }
    }
    return wanted.stream().filter(node -> node.isAble(0)).findFirst();
  }
}
