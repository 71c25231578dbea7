package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.NodeWait;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerLocalityTest {

  private static final ClusterNode H1 = new ClusterNode("h1", "/r1");
  private static final ClusterNode H2 = new ClusterNode("h2", "/r1");

  private final AskMetrics metrics = new AskMetrics();
  private final KeyState state =
      new KeyState(
          RequestedAsks.NONE,
          Map.of(),
          Map.of(
              "weir:/a", new RankedNodes(List.of(H1), 100, Map.of("h1", 100L), 10),
              "weir:/b", new RankedNodes(List.of(H2), 60, Map.of("h2", 60L), 70)),
          KeyState.Awaited.NONE,
          AskHold.NONE,
          NodeWait.NONE,
          0);

  @Test
  void countsLocalAndSavedBytes() {
    assertThat(ContainerLocality.on(state, "h1", "/r1"))
        .isEqualTo(new ContainerLocality(ContainerLocality.Near.NODE, 100, 90));
    assertThat(ContainerLocality.on(state, "h2", "/r1"))
        .isEqualTo(new ContainerLocality(ContainerLocality.Near.NODE, 60, 0));
  }

  @Test
  void countsRemoteBytes() {
    assertThat(ContainerLocality.on(state, "h9", "/r1"))
        .isEqualTo(new ContainerLocality(ContainerLocality.Near.RACK, 100, 0));
    assertThat(ContainerLocality.on(state, "h9", "/r9"))
        .isEqualTo(new ContainerLocality(ContainerLocality.Near.ELSEWHERE, 100, 0));
  }

  @Test
  void incrementsTheCounters() {
    ContainerLocality.on(state, "h1", "/r1").count(metrics);
    ContainerLocality.on(state, "h9", "/r1").count(metrics);

    assertThat(metrics.value(AskMetrics.Event.CONTAINERS_ON_NAMED_NODES)).isEqualTo(1);
    assertThat(metrics.value(AskMetrics.Event.BYTES_ON_NAMED_NODES)).isEqualTo(100);
    assertThat(metrics.value(AskMetrics.Event.BYTES_SAVED)).isEqualTo(90);
    assertThat(metrics.value(AskMetrics.Event.CONTAINERS_IN_NAMED_RACKS)).isEqualTo(1);
    assertThat(metrics.value(AskMetrics.Event.BYTES_IN_NAMED_RACKS)).isEqualTo(100);
  }
}
