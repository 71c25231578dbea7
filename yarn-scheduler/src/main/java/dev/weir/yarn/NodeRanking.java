package dev.weir.yarn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Chooses the nodes to ask for from where the bytes are. */
final class NodeRanking {

  /** As many as HDFS keeps copies of a block by default. */
  static final int USUAL_NODES = 3;

  private static final Comparator<Candidate> MOST_BYTES_FIRST =
      Comparator.comparingLong(Candidate::bytes)
          .reversed()
          .thenComparing(candidate -> candidate.node().name());

  private NodeRanking() {}

  private record Candidate(ClusterNode node, long bytes) {}

  /**
   * The nodes that hold most bytes, best first: at most three, or as many as there are containers
   * if that is more. YARN has no order among named nodes, so a node with less than half the bytes
   * of the best is left out: naming it would make it as good as the best.
   */
  static RankedNodes rank(Map<String, Long> bytesByHost, ClusterView cluster, int containers) {
    List<Candidate> candidates = new ArrayList<>();
    bytesByHost.forEach(
        (host, bytes) -> {
          if (bytes > 0) {
            cluster.nodesOn(host).forEach(node -> candidates.add(new Candidate(node, bytes)));
          }
        });
    if (candidates.isEmpty()) {
      return RankedNodes.NONE;
    }
    candidates.sort(MOST_BYTES_FIRST);
    long most = candidates.get(0).bytes();
    List<ClusterNode> nodes =
        candidates.stream()
            .filter(candidate -> candidate.bytes() >= most - most / 2)
            .limit(Math.max(USUAL_NODES, containers))
            .map(Candidate::node)
            .toList();
    return new RankedNodes(nodes, most);
  }
}
