package dev.weir.hdfs.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpaceSavingTest {
  private static final long DAY = 86_400_000;

  @Test
  void countsAreTooLowByAtMostTheError() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SpaceSaving sketch = new SpaceSaving(50, DAY, 0);
      Map<Long, Integer> exact = new HashMap<>();
      for (int i = 0; i < 20_000; i++) {
        long key = (long) Math.abs(random.nextGaussian() * 100);
        exact.merge(key, 1, Integer::sum);
        sketch.add(key, random.nextInt(10) == 0, 0);
      }
      double error = sketch.error(0);
      assertThat(error).as("seed %d", seed).isLessThanOrEqualTo(20_000.0 / 50);
      Map<Long, Double> estimates = new HashMap<>();
      sketch.visit(
          0,
          (key, reads, writes, off) -> {
            double truth = exact.getOrDefault(key, 0);
            assertThat(reads + writes).isLessThanOrEqualTo(truth);
            assertThat(reads + writes + off).isGreaterThanOrEqualTo(truth);
            assertThat(off).isLessThanOrEqualTo(error);
            estimates.put(key, reads + writes);
          });
      exact.forEach(
          (key, count) -> {
            if (count > error) {
              assertThat(estimates).containsKey(key);
            }
          });
    }
  }

  @Test
  void countsHalveInAHalfLife() {
    SpaceSaving sketch = new SpaceSaving(10, DAY, 0);
    for (int i = 0; i < 8; i++) {
      sketch.add(1, false, 0);
    }
    sketch.add(1, true, 2 * DAY);
    sketch.visit(
        3 * DAY,
        (key, reads, writes, error) -> {
          assertThat(reads).isCloseTo(1, within(1e-9));
          assertThat(writes).isCloseTo(0.5, within(1e-9));
        });
  }

  @Test
  void decaysForYears() {
    SpaceSaving sketch = new SpaceSaving(10, DAY, 0);
    for (long day = 0; day < 3000; day++) {
      sketch.add(1, false, day * DAY);
    }
    sketch.visit(
        2999 * DAY, (key, reads, writes, error) -> assertThat(reads).isCloseTo(2, within(1e-6)));
    sketch.visit(
        9_999_999 * DAY, (key, reads, writes, error) -> assertThat(reads).isLessThan(1e-9));
  }

  @Test
  void theMostUsedKeysStay() {
    SpaceSaving sketch = new SpaceSaving(100, DAY, 0);
    for (int i = 0; i < 100_000; i++) {
      sketch.add(i % 10 < 5 ? i % 10 : i + 1000, false, 0);
    }
    int[] hot = {0};
    sketch.visit(0, (key, reads, writes, error) -> hot[0] += key < 5 && reads == 10_000 ? 1 : 0);
    assertThat(hot[0]).isEqualTo(5);
  }
}
