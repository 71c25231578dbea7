package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BroadcastCostTest {

  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  /** The table of the design: S/R to broadcast, (n-1)/n of k·S/R when all read from one node. */
  @Test
  void oneFileReadEverywhere() {
    BroadcastCost cost = new BroadcastCost(6, 100, 1, 1, 6);

    assertThat(cost.at(1)).isEqualTo(500, EXACT);
    assertThat(cost.at(3)).as("S to write, then (n-r)/r to read").isEqualTo(200, EXACT);
    assertThat(cost.at(6)).isEqualTo(100, EXACT);
    assertThat(cost.best(6)).isEqualTo(6);
    assertThat(cost.best(4)).as("bounded").isEqualTo(4);
  }

  /** (f-1)·S + k·(1-f/n)·S a file, spread over n links. */
  @Test
  void manyFilesFromEverywhereAreTheCountOfBytes() {
    BroadcastCost cost = new BroadcastCost(5, 10, 50, 50, 8);

    for (int copies = 2; copies <= 5; copies++) {
      double perFile = (copies - 1) * 10 + 8 * (1 - copies / 5.0) * 10;
      assertThat(cost.at(copies)).isEqualTo(50 * perFile / 5, EXACT);
    }
  }

  @Test
  void manyFilesPayWhenTheirReadersOutnumberTheNodes() {
    assertThat(new BroadcastCost(6, 10, 25, 25, 7.8).best(6)).isEqualTo(6);
    assertThat(new BroadcastCost(6, 10, 25, 25, 6).best(6)).as("a tie moves nothing").isEqualTo(1);
    assertThat(new BroadcastCost(6, 10, 25, 25, 4).best(6)).isEqualTo(1);
    assertThat(new BroadcastCost(19, 10, 25, 25, 7.8).best(19)).isEqualTo(1);
  }

  @Test
  void emptyFilesAreNotCopied() {
    assertThat(new BroadcastCost(6, 0, 1, 1, 100).best(6)).isEqualTo(1);
  }

  @Test
  void neverWorseThanAnyOtherChoice() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      int nodes = 1 + random.nextInt(40);
      int files = 1 + random.nextInt(100);
      BroadcastCost cost =
          new BroadcastCost(
              nodes,
              random.nextInt(1_000_000),
              files,
              1 + random.nextInt(files),
              random.nextDouble() * 50);
      int best = cost.best(nodes);
      assertThat(best).isBetween(1, nodes);
      for (int copies = 1; copies <= nodes; copies++) {
        assertThat(cost.at(best))
            .as("seed %d, %s", seed, cost)
            .isLessThanOrEqualTo(cost.at(copies));
        assertThat(cost.at(copies)).as("seed %d, %s", seed, cost).isGreaterThanOrEqualTo(-1e-6);
      }
    }
  }
}
