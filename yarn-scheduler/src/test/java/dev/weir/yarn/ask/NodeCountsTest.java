package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.RankedNodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeCountsTest {

  private static final ClusterNode H1 = new ClusterNode("h1", "/r1");
  private static final ClusterNode H2 = new ClusterNode("h2", "/r1");
  private static final ClusterNode H3 = new ClusterNode("h3", "/r2");

  @Test
  void countsAContainerOnEachNodeAndOncePerRack() {
    NodeCounts counts =
        NodeCounts.of(Map.of("a", 2), Map.of("a", ranked(H1, H2, H3)), Integer.MAX_VALUE);

    assertThat(counts.nodes()).isEqualTo(Map.of("h1", 2, "h2", 2, "h3", 2));
    assertThat(counts.racks()).isEqualTo(Map.of("/r1", 2, "/r2", 2));
    assertThat(counts.placed()).isEqualTo(2);
  }

  @Test
  void sumsNamesUpToTheTotal() {
    Map<String, Integer> files = new LinkedHashMap<>(Map.of("a", 2, "b", 3));

    NodeCounts counts = NodeCounts.of(files, Map.of("a", ranked(H1), "b", ranked(H1, H3)), 4);

    assertThat(counts.nodes()).isEqualTo(Map.of("h1", 4, "h3", 3));
    assertThat(counts.racks()).isEqualTo(Map.of("/r1", 4, "/r2", 3));
    assertThat(counts.placed()).isEqualTo(4);
  }

  @Test
  void placesOnlyNamesWithNodes() {
    NodeCounts counts =
        NodeCounts.of(Map.of("a", 1, "b", 5), Map.of("a", ranked(H1)), Integer.MAX_VALUE);

    assertThat(counts.nodes()).isEqualTo(Map.of("h1", 1));
    assertThat(counts.placed()).isEqualTo(1);
  }

  @Test
  void isEmptyForNoContainers() {
    NodeCounts counts = NodeCounts.of(Map.of("a", 1), Map.of("a", ranked(H1)), 0);

    assertThat(counts.nodes()).isEmpty();
    assertThat(counts.racks()).isEmpty();
  }

  @Test
  void countsWithoutOverflow() {
    int many = Integer.MAX_VALUE - 1;

    NodeCounts counts =
        NodeCounts.of(
            Map.of("a", many, "b", many),
            Map.of("a", ranked(H1), "b", ranked(H1)),
            Integer.MAX_VALUE);

    assertThat(counts.nodes()).isEqualTo(Map.of("h1", Integer.MAX_VALUE));
  }

  private static RankedNodes ranked(ClusterNode... nodes) {
    return new RankedNodes(List.of(nodes), 1, Map.of(), 0);
  }
}
