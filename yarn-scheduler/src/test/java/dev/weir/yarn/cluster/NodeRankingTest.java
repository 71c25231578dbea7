package dev.weir.yarn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.lookup.LocationResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class NodeRankingTest {

  private final ClusterView cluster = cluster(9);

  @Test
  void ranksNodesByBytes() {
    RankedNodes ranked = rank(Map.of("h1", 60L, "h2", 100L, "h3", 80L, "h4", 70L), cluster, 1);

    assertThat(ranked.nodes()).extracting(ClusterNode::name).containsExactly("h2", "h3", "h4");
    assertThat(ranked.bytes()).isEqualTo(100);
  }

  @Test
  void omitsNodesWithLessThanHalfOfTheBest() {
    RankedNodes ranked = rank(Map.of("h1", 100L, "h2", 50L, "h3", 49L), cluster, 1);

    assertThat(ranked.nodes()).extracting(ClusterNode::name).containsExactly("h1", "h2");
  }

  @Test
  void findsTheBestHostsWithoutNodeManager() {
    Map<String, Long> bytes = Map.of("h1", 100L, "x1", 80L, "x2", 90L, "x3", 49L, "x4", 0L);

    assertThat(NodeRanking.hostsWithoutNodeManager(new LocationResult.Found(bytes), cluster, 3))
        .containsOnly("x1", "x2");
    assertThat(NodeRanking.hostsWithoutNodeManager(new LocationResult.Found(bytes), cluster, 2))
        .containsOnly("x2");
    assertThat(
            NodeRanking.hostsWithoutNodeManager(
                new LocationResult.Found(Map.of("H1", 1L)), cluster, 3))
        .isEmpty();
    assertThat(
            NodeRanking.hostsWithoutNodeManager(
                new LocationResult.Found(Map.of("x", -1L)), cluster, 3))
        .isEmpty();
  }

  @Test
  void namesAsManyNodesAsContainers() {
    Map<String, Long> everywhere = new HashMap<>();
    for (int i = 1; i <= 9; i++) {
      everywhere.put("h" + i, 10L);
    }

    assertThat(rank(everywhere, cluster, 5).nodes()).hasSize(5);
    assertThat(rank(everywhere, cluster, 100).nodes()).hasSize(9);
  }

  @Test
  void breaksTiesByName() {
    assertThat(rank(Map.of("h3", 1L, "h1", 1L, "h2", 1L, "h4", 1L), cluster, 1).nodes())
        .extracting(ClusterNode::name)
        .containsExactly("h1", "h2", "h3");
  }

  @Test
  void ignoresHostsWithoutANodeManagerAndWithoutBytes() {
    assertThat(rank(Map.of("elsewhere", 100L, "h1", 0L), cluster, 1).isEmpty()).isTrue();
    assertThat(rank(Map.of("elsewhere", 100L, "h2", 1L), cluster, 1).nodes())
        .extracting(ClusterNode::name)
        .containsExactly("h2");
  }

  @Test
  void hostNamesAreCaseInsensitive() {
    assertThat(rank(Map.of("H7", 1L), cluster, 1).nodes())
        .containsExactly(new ClusterNode("h7", "/r1"));
  }

  @Test
  void breaksTiesByCachedBytesThenLoad() {
    LocationResult.Found found =
        new LocationResult.Found(
            Map.of("h1", 10L, "h2", 10L, "h3", 10L, "h4", 11L), Map.of("h3", 10L), List.of());
    ClusterView busy = ClusterView.of(cluster.nodesByHost(), Map.of("h1", 9, "h2", 1), 100);

    assertThat(NodeRanking.rank(found, busy, 4, node -> true).nodes())
        .extracting(ClusterNode::name)
        .containsExactly("h4", "h3", "h2", "h1");
  }

  @Test
  void reportsBytesByNodeAndByChance() {
    RankedNodes ranked = rank(Map.of("h1", 60L, "h2", 100L, "h3", 20L), cluster, 1);

    assertThat(ranked.bytesByNode()).isEqualTo(Map.of("h1", 60L, "h2", 100L));
    assertThat(ranked.bytesByChance()).isEqualTo(180 / 9);
  }

  public static ClusterView cluster(int nodes) {
    Map<String, List<ClusterNode>> byHost = new HashMap<>();
    for (int i = 1; i <= nodes; i++) {
      byHost.put("h" + i, List.of(new ClusterNode("h" + i, i % 2 == 1 ? "/r1" : "/r2")));
    }
    return ClusterView.of(byHost, Map.of(), 100);
  }

  private static RankedNodes rank(
      Map<String, Long> bytesByHost, ClusterView cluster, int containers) {
    return NodeRanking.rank(
        new LocationResult.Found(bytesByHost),
        cluster,
        NodeRanking.defaultNodes(containers),
        node -> true);
  }
}
