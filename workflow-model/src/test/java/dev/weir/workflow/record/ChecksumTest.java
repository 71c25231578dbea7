package dev.weir.workflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChecksumTest {

  @Test
  void computesTheStandardCrc32c() {
    CRC32C crc = new CRC32C();
    crc.update("123456789".getBytes(StandardCharsets.US_ASCII));

    assertThat(Checksum.toHex(Checksum.of(crc))).isEqualTo("e3069283");
    assertThat(Checksum.fromHex("e3069283")).isEqualTo(Checksum.of(crc));
  }

  @Test
  void keepsLeadingZeros() {
    assertThat(Checksum.toHex(0xff)).isEqualTo("000000ff");
    assertThat(Checksum.fromHex("000000ff")).isEqualTo(0xff);
    assertThat(Checksum.fromHex("ffffffff")).isEqualTo(0xffff_ffffL);
  }

  @Test
  void refusesInvalidChecksums() {
    assertThatIllegalArgumentException().isThrownBy(() -> Checksum.fromHex("ff"));
    assertThatIllegalArgumentException().isThrownBy(() -> Checksum.fromHex("no hex !"));
    assertThatIllegalArgumentException().isThrownBy(() -> Checksum.require(1L << 32));
    assertThatIllegalArgumentException().isThrownBy(() -> Checksum.require(-2));
    assertThat(Checksum.isKnown(Checksum.require(Checksum.UNKNOWN))).isFalse();
    assertThat(Checksum.isKnown(0)).isTrue();
  }
}
