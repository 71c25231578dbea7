package dev.weir.bench.morph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownReplicasTest {
  private static final int FILES = 24;
  private static final int NODES = 4;

  private static int sum(List<Integer> replicas) {
    return replicas.stream().mapToInt(Integer::intValue).sum();
  }

  @ParameterizedTest
  @EnumSource
  void budgetAndNodesAreKept(MorphWorkload workload) {
    for (int seed = 0; seed < 20; seed++) {
      AccessPattern pattern = AccessPattern.of(workload, FILES, seed);
      for (double budget : workload.budgets()) {
        List<Integer> popular = KnownReplicas.byPopularity(pattern, budget, NODES);
        List<Integer> useful = KnownReplicas.byUtility(pattern, budget, NODES);

        assertThat(sum(popular)).isEqualTo((int) Math.floor(budget * FILES + 1e-9));
        assertThat(sum(useful)).isBetween(FILES, (int) Math.floor(budget * FILES + 1e-9));
        assertThat(popular).hasSize(FILES).allMatch(number -> number >= 1 && number <= NODES);
        assertThat(useful).hasSize(FILES).allMatch(number -> number >= 1 && number <= NODES);
      }
    }
  }

  @Test
  void popularityAloneIsProportional() {
    // Reads of 6/11, 3/11 and 2/11 share six replicas.
    AccessPattern pattern = AccessPattern.of(MorphWorkload.VIDEO, 3, 1);

    List<Integer> replicas = KnownReplicas.byPopularity(pattern, 2, 8);

    List<Integer> ranked =
        IntStream.range(0, 3)
            .boxed()
            .sorted((a, b) -> Double.compare(pattern.readShare(b), pattern.readShare(a)))
            .map(replicas::get)
            .toList();
    assertThat(ranked).containsExactly(3, 2, 1);
  }

  @Test
  void oneNodeHasOneReplica() {
    AccessPattern pattern = AccessPattern.of(MorphWorkload.VIDEO, 3, 1);

    assertThat(KnownReplicas.byPopularity(pattern, 2, 1)).containsExactly(1, 1, 1);
    assertThat(KnownReplicas.byUtility(pattern, 2, 1)).containsExactly(1, 1, 1);
  }

  @Test
  void utilityLeavesFilesWhoseWritesCostMore() {
    AccessPattern pattern = AccessPattern.of(MorphWorkload.VIDEO, 200, 1);

    List<Integer> replicas = KnownReplicas.byUtility(pattern, 4, NODES);

    for (int file = 0; file < pattern.files(); file++) {
      // A second replica saves half of the reads.
      boolean pays = pattern.readShare(file) / 2 > pattern.writeShare();
      assertThat(replicas.get(file) > 1).isEqualTo(pays);
    }
    assertThat(sum(KnownReplicas.byPopularity(pattern, 4, NODES))).isEqualTo(4 * 200);
  }
}
