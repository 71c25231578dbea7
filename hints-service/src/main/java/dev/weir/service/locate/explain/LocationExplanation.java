package dev.weir.service.locate.explain;

import dev.weir.hints.index.Match;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.nodes.ClusterNodes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why the bytes of a file are where they are.
 *
 * @param match the effective rule; null if there is none
 * @param wanted what the rule asks for
 * @param actual the file; null if it does not exist
 * @param cluster the DataNodes
 * @param differences the differences between the two, and their reasons
 * @param use the use of a file whose replicas follow it; null for others
 */
public record LocationExplanation(
    String path,
    @Nullable Match match,
    HintedLayout wanted,
    @Nullable FileInfo actual,
    ClusterNodes cluster,
    List<Difference> differences,
    UseExplainer.@Nullable Use use) {
  public LocationExplanation {
    differences = List.copyOf(differences);
  }

  public List<String> wantedNodes() {
    return wanted.nodes().stream().map(cluster::name).toList();
  }

  public List<String> nodes(FileBlock block) {
    return block.replicas().stream()
        .map(replica -> cluster.name(replica.host(), replica.port()))
        .toList();
  }

  /**
   * A difference.
   *
   * @param why the reason, if it is known
   */
  public record Difference(String what, String why) {}
}
