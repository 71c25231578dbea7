package dev.weir.bench.disks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskRateTest {
  private static final DiskRate RATE = new DiskRate(8_000_000, 100);

  @Test
  void parsesMegabytesAndOperations() {
    assertThat(DiskRate.parse("8, 100")).isEqualTo(RATE);
    assertThat(DiskRate.parse("0.5,100").bytes()).isEqualTo(500_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8", "8,x", "8,100,1", ""})
  void refusesOthersWithTheRemedy(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DiskRate.parse(text))
        .withMessageContaining("such as 32,400");
  }

  @Test
  void refusesADiskThatStands() {
    assertThatIllegalArgumentException().isThrownBy(() -> DiskRate.parse("8,0"));
  }

  @Test
  void writesAreTakenFromReads() {
    assertThat(RATE.without(new DiskCounters(5_000_000, 50, 600_000, 4), 0.2))
        .isEqualTo(new DiskRate(5_000_000, 80));
  }

  @Test
  void readsKeepATenth() {
    assertThat(RATE.without(new DiskCounters(0, 0, 90_000_000, 900), 1))
        .isEqualTo(new DiskRate(800_000, 10));
  }
}
