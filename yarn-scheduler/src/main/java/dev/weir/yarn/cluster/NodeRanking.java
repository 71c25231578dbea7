package dev.weir.yarn.cluster;

import dev.weir.yarn.lookup.LocationResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Chooses the nodes to ask for by the bytes that they hold. */
public final class NodeRanking {

  /** HDFS' default number of replicas. */
  public static final int DEFAULT_NODES = 3;

  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingLong(Candidate::bytes)
          .thenComparingLong(Candidate::cached)
          .reversed()
          .thenComparingInt(Candidate::load)
          .thenComparing(candidate -> candidate.node().name());

  private NodeRanking() {}

  private record Candidate(ClusterNode node, long bytes, long cached, int load) {}

  /** The default number of nodes to request. */
  public static int defaultNodes(int containers) {
    return Math.max(DEFAULT_NODES, containers);
  }

  /**
   * The nodes with the most bytes, best first. Ties are broken by more bytes in memory, then by
   * less load. YARN does not order named nodes, so a node with less than half the bytes of the best
   * is left out: naming it would make it equal to the best.
   */
  public static RankedNodes rank(
      LocationResult.Found found,
      ClusterView cluster,
      int maxNodes,
      Predicate<ClusterNode> eligible) {
    List<Candidate> candidates = new ArrayList<>();
    found
        .bytesByHost()
        .forEach(
            (host, bytes) -> {
              long cached = found.cachedByHost().getOrDefault(host, 0L);
              for (ClusterNode node : bytes > 0 ? cluster.nodesOn(host) : List.<ClusterNode>of()) {
                if (eligible.test(node)) {
                  candidates.add(new Candidate(node, bytes, cached, cluster.load(node)));
                }
              }
            });
    if (candidates.isEmpty()) {
      return RankedNodes.NONE;
    }
    candidates.sort(BEST_FIRST);
    long best = candidates.get(0).bytes();
    List<Candidate> chosen =
        candidates.stream()
            .filter(candidate -> candidate.bytes() >= minBytes(best))
            .limit(maxNodes)
            .toList();
    Map<String, Long> bytesByNode = new HashMap<>();
    chosen.forEach(candidate -> bytesByNode.put(candidate.node().name(), candidate.bytes()));
    // The sum of lengths that a file system makes up may exceed a long.
    double all = candidates.stream().mapToDouble(Candidate::bytes).sum();
    return new RankedNodes(
        chosen.stream().map(Candidate::node).toList(),
        best,
        bytesByNode,
        (long) (all / Math.max(1, cluster.size())));
  }

  /** The fewest bytes that a node must hold beside the best. */
  private static long minBytes(long best) {
    return best - best / 2;
  }

  /**
   * Hosts without a NodeManager among those with the most bytes; they would be asked for if one ran
   * there.
   */
  public static Set<String> hostsWithoutNodeManager(
      LocationResult.Found found, ClusterView cluster, int maxNodes) {
    Map<String, Long> bytesByHost = found.bytesByHost();
    if (bytesByHost.keySet().stream().noneMatch(host -> cluster.nodesOn(host).isEmpty())) {
      return Set.of();
    }
    long best = bytesByHost.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return bytesByHost.entrySet().stream()
        .filter(host -> host.getValue() > 0 && host.getValue() >= minBytes(best))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(maxNodes)
        .map(Map.Entry::getKey)
        .filter(host -> cluster.nodesOn(host).isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
