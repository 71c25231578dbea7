package dev.weir.service.auto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.AutoRange;
import dev.weir.service.auto.AccessCounts.Count;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UseExplainerTest {
  private static final Instant NOW = Instant.parse("2030-01-10T00:00:00Z");

  @Test
  void anOpenOfALargeFileCountsAsAPartOfItAsInThePlan() {
    AccessCounts opens = AccessCounts.ofPaths(Map.of("/a", new Count(20, 0)));
    MergedCounts counts =
        new MergedCounts(
            List.of(URI.create("http://nn:9870")),
            nameNode -> new CountSource.Reading(NOW, Duration.ofDays(1), opens),
            () -> NOW);
    counts.refresh();
    UseExplainer use = UseExplainer.of(() -> AutoStatus.NONE, counts);
    assertThat(utility(use, 10)).isEqualTo(10);
    assertThat(utility(use, 100)).as("each open reads a tenth").isEqualTo(1);
  }

  private static double utility(UseExplainer use, int blocks) {
    UseExplainer.Size size = new UseExplainer.Size(64L * blocks, 64);
    return use.explain("/a", AutoRange.DEFAULT, size, 1).orElseThrow().utility();
  }
}
