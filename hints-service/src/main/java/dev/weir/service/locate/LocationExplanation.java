package dev.weir.service.locate;

import dev.weir.hints.index.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why the bytes of a file are where they are.
 *
 * @param path the file
 * @param match the rule that counts for it; null when none does
 * @param wanted what the rule asks for
 * @param actual what is there; null when there is no such file
 * @param cluster the DataNodes
 * @param differences where the two differ, and why
 */
public record LocationExplanation(
    String path,
    @Nullable Match match,
    HintedLayout wanted,
    @Nullable FileInfo actual,
    ClusterNodes cluster,
    List<Difference> differences) {
  /** Copies the list. */
  public LocationExplanation {
    differences = List.copyOf(differences);
  }

  /** The names of the nodes wanted. */
  public List<String> wantedNodes() {
    return wanted.nodes().stream().map(cluster::name).toList();
  }

  /** The names of the nodes that have a block. */
  public List<String> nodes(FileBlock block) {
    return block.replicas().stream()
        .map(replica -> cluster.name(replica.host(), replica.port()))
        .toList();
  }

  /**
   * A difference.
   *
   * @param what what is not as wanted
   * @param why the reason, as far as facts tell it
   */
  public record Difference(String what, String why) {}
}
