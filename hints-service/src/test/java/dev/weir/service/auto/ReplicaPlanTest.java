package dev.weir.service.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaPlanTest {

  /** Figure 2 of the study: the first three copies are of A, C and A. */
  @Test
  void choosesAsTheStudysExample() {
    List<AutoFile> files = List.of(file("A", 12, 0), file("B", 2.2, 0), file("C", 8, 0));
    List<List<Integer>> expected =
        List.of(List.of(1, 1, 1), List.of(2, 1, 1), List.of(2, 1, 2), List.of(3, 1, 2));
    for (int copies = 0; copies < expected.size(); copies++) {
      assertThat(ReplicaPlan.of(files, 100L * copies).replicas())
          .as("%d copies", copies)
          .isEqualTo(expected.get(copies));
    }
  }

  @Test
  void filesThatAreWrittenMoreThanReadGetNoCopies() {
    List<AutoFile> files = List.of(file("log", 50, 30), file("table", 50, 1));
    ReplicaPlan plan = ReplicaPlan.of(files, Long.MAX_VALUE);
    assertThat(plan.replicas()).containsExactly(1, 5);
    assertThat(plan.price()).isZero();
  }

  @Test
  void aCopyThatWouldNotPayForBeingMadeStaysIfItIsThere() {
    assertThat(ReplicaPlan.of(List.of(file("a", 3, 0)), 1000).replicas()).containsExactly(2);
    AutoFile present = new AutoFile("a", 1, 100, 3, 0, 1, 8, 4, 1);
    assertThat(ReplicaPlan.of(List.of(present), 1000).replicas()).containsExactly(4);
    AutoFile written = new AutoFile("a", 1, 100, 3, 0.4, 1, 8, 4, 1);
    assertThat(ReplicaPlan.of(List.of(written), 1000).replicas()).containsExactly(3);
  }

  @Test
  void theLeastUsefulCopiesGoFirstWhenTheBudgetShrinks() {
    List<AutoFile> files =
        List.of(
            new AutoFile("hot", 1, 100, 1000, 0, 1, 4, 4, 1),
            new AutoFile("warm", 2, 100, 100, 0, 1, 4, 4, 1));
    assertThat(ReplicaPlan.of(files, 600).replicas()).containsExactly(4, 4);
    assertThat(ReplicaPlan.of(files, 400).replicas()).containsExactly(4, 2);
    assertThat(ReplicaPlan.of(files, 0).replicas()).containsExactly(1, 1);
  }

  @Test
  void anotherFileMustBeClearlyBetterToTakeACopy() {
    AutoFile holder = new AutoFile("holder", 1, 100, 100, 0, 1, 8, 2, 1);
    AutoFile equal = new AutoFile("a", 2, 100, 110, 0, 1, 8, 1, 1);
    AutoFile better = new AutoFile("b", 3, 100, 200, 0, 1, 8, 1, 1);
    assertThat(ReplicaPlan.of(List.of(holder, equal), 100).replicas()).containsExactly(2, 1);
    assertThat(ReplicaPlan.of(List.of(holder, better), 100).replicas()).containsExactly(1, 2);
  }

  @Test
  void isAsGoodAsTheBestChoiceWithinTheKnownBound() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      boolean equalSizes = random.nextBoolean();
      List<AutoFile> files = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        int min = 1 + random.nextInt(2);
        files.add(
            new AutoFile(
                "f" + i,
                i,
                equalSizes ? 7 : 1 + random.nextInt(20),
                random.nextInt(60),
                random.nextInt(3),
                min,
                min + random.nextInt(4),
                1 + random.nextInt(4),
                min));
      }
      long budget = random.nextInt(60);
      ReplicaPlan plan = ReplicaPlan.of(files, budget);
      long bytes = 0;
      double largest = 0;
      for (int i = 0; i < files.size(); i++) {
        AutoFile file = files.get(i);
        assertThat(plan.replicas().get(i)).isBetween(file.min(), file.max());
        bytes += file.bytes() * (plan.replicas().get(i) - file.min());
        largest = Math.max(largest, file.bytes() * file.preference(file.min()));
      }
      assertThat(plan.bytes()).isEqualTo(bytes).isLessThanOrEqualTo(budget);
      double best = best(files, 0, budget);
      assertThat(value(files, plan.replicas()))
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(best - (equalSizes ? 0 : largest) - 1e-9);
    }
  }

  private static double best(List<AutoFile> files, int from, long budget) {
    if (from == files.size()) {
      return 0;
    }
    AutoFile file = files.get(from);
    double value = 0;
    double best = best(files, from + 1, budget);
    for (int r = file.min(); r < file.max(); r++) {
      value += file.bytes() * file.preference(r);
      long left = budget - file.bytes() * (r + 1 - file.min());
      if (left >= 0) {
        best = Math.max(best, value + best(files, from + 1, left));
      }
    }
    return best;
  }

  private static double value(List<AutoFile> files, List<Integer> replicas) {
    double value = 0;
    for (int i = 0; i < replicas.size(); i++) {
      for (int r = files.get(i).min(); r < replicas.get(i); r++) {
        value += files.get(i).bytes() * files.get(i).preference(r);
      }
    }
    return value;
  }

  private static AutoFile file(String path, double reads, double writes) {
    return new AutoFile(path, path.hashCode(), 100, reads, writes, 1, 5, 1, 1);
  }
}
