package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineOrderTest {

  @Test
  void goesToTheNearestTarget() {
    assertThat(
            PipelineOrder.nearestFirst(List.of(9, 1, 4, 5), 4, n -> n, (a, b) -> Math.abs(a - b)))
        .containsExactly(4, 5, 9, 1);
  }

  @Test
  void startsWithTheFirstTargetIfTheWriterIsNoDataNode() {
    assertThat(
            PipelineOrder.nearestFirst(List.of(9, 1, 8), null, n -> n, (a, b) -> Math.abs(a - b)))
        .containsExactly(9, 8, 1);
  }

  @Test
  void keepsTheOrderOfEquallyNearTargets() {
    assertThat(PipelineOrder.nearestFirst(List.of(3, 1, 2), null, n -> n, (a, b) -> 1))
        .containsExactly(3, 1, 2);
    assertThat(PipelineOrder.nearestFirst(List.<Integer>of(), 1, n -> n, (a, b) -> 1)).isEmpty();
  }
}
