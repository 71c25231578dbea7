package dev.weir.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the decisions of many streams together lead to. */
class SimulatedDisksTest {
  private static final double[] DISKS = {100e6, 100e6, 100e6, 100e6};
  private static final double NO_SEEKS = 0;

  /** Four transfers halve the rate of a disk. */
  private static final double SEEKS = 0.33;

  @Test
  void aReaderUsesThreeIdleDisks() {
    double stock = one(DISKS, false, 1L << 30);
    assertThat(stock / one(DISKS, true, 1L << 30)).isGreaterThan(2.5);
  }

  @Test
  void aCrawlingDiskDoesNotStopAReader() {
    double[] disks = {100e6, 5e6, 100e6, 100e6};
    assertThat(one(disks, true, 1L << 30)).isLessThan(one(disks, false, 1L << 30) * 0.75);
  }

  /** Stock streams are as fast only if chance gives each disk the same number of them. */
  @Test
  void manyReadersLoseNothing() {
    for (double seeks : new double[] {NO_SEEKS, SEEKS}) {
      for (int readers : new int[] {4, 8, 16}) {
        double stock = 0;
        double weir = 0;
        for (int seed = 0; seed < 2; seed++) {
          stock += many(readers, seed, seeks, false);
          weir += many(readers, seed, seeks, true);
        }
        assertThat(weir / stock).as("%d readers, seeks %.2f", readers, seeks).isLessThan(0.9);
      }
    }
  }

  private static double one(double[] rates, boolean adaptive, long bytes) {
    SimulatedDisks disks = new SimulatedDisks(rates, SEEKS, adaptive);
    disks.read(0, bytes);
    return disks.run();
  }

  private static double many(int readers, int seed, double seeks, boolean adaptive) {
    Random random = new Random(seed);
    SimulatedDisks disks = new SimulatedDisks(DISKS, seeks, adaptive);
    for (int i = 0; i < readers; i++) {
      disks.read(random.nextInt(DISKS.length), 256L << 20);
    }
    return disks.run();
  }
}
