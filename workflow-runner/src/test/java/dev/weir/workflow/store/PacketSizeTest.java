package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketSizeTest {

  private static final int USUAL = 64 << 10;
  private static final long GIGABIT = 125_000_000;

  @ParameterizedTest
  @CsvSource({
    // The last of 19 nodes is 18 packets behind the first.
    "19, 1000000, 1250000, 4096",
    "19, 4000000, 1250000, 8192",
    "19, 10000000, 1250000, 32768",
    "19, 134217728, 1250000, 65536",
    "4, 1000000, 1250000, 16384",
    "2, 1000000, 1250000, 32768",
    "2, 2000000, 1250000, 65536"
  })
  void lastNodeIsHardlyBehindTheFirst(int replicas, long bytes, long rate, int packet) {
    assertThat(PacketSize.of(replicas, bytes, rate, USUAL)).isEqualTo(packet);
  }

  @ParameterizedTest
  @CsvSource({
    "12500000, 100000, 4096",
    "125000000, 1000000, 8192",
    "500000000, 1000000, 32768",
    "1250000000, 2000000, 65536",
    "12500000000, 2000000, 65536",
    "9223372036854775807, 2000000, 65536"
  })
  void packetsAreLargeEnoughForFastLinks(long rate, long bytes, int packet) {
    assertThat(PacketSize.of(19, bytes, rate, USUAL)).isEqualTo(packet);
  }

  @Test
  void singleReplicaHasUsualPackets() {
    assertThat(PacketSize.of(1, 1_000_000, 1_250_000, USUAL)).isEqualTo(USUAL);
    assertThat(PacketSize.of(0, 1_000_000, 1_250_000, USUAL)).isEqualTo(USUAL);
  }

  @Test
  void packetsAreNeverLargerThanUsual() {
    assertThat(PacketSize.of(19, Long.MAX_VALUE, GIGABIT, USUAL)).isEqualTo(USUAL);
    assertThat(PacketSize.of(19, 1_000_000, GIGABIT, 5_000)).isEqualTo(5_000);
    assertThat(PacketSize.of(19, 1_000_000, GIGABIT, 1_000)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 65536, 1250000, true",
    "3, 1150000, 125000000, true",
    "2, 16000, 1250000, true",
    "2, 65536, 1250000, false",
    "19, 1000, 1250000, true",
    "19, 2000, 1250000, false",
    "19, 65536, 125000000, true",
    "512, 65536, 125000000, false"
  })
  void shortTransfersUseUsualPackets(int replicas, long bytes, long rate, boolean usual) {
    assertThat(PacketSize.of(replicas, bytes, rate, USUAL) == USUAL).isEqualTo(usual);
  }

  @Test
  void emptyFileHasUsualPackets() {
    assertThat(PacketSize.of(19, 0, 1_250_000, USUAL)).isEqualTo(USUAL);
  }
}
