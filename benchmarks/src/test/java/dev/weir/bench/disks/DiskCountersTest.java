package dev.weir.bench.disks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskCountersTest {
  @Test
  void readsTheStatisticsOfADevice() {
    DiskCounters counters =
        DiskCounters.parse(
            "     103        2    84048       65       50       21    81982     1036        0  104\n");

    assertThat(counters).isEqualTo(new DiskCounters(84_048 * 512, 103, 81_982 * 512, 50));
    assertThat(counters.plus(counters).since(counters)).isEqualTo(counters);
  }
}
