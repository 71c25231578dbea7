package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CommitAttributeTest {

  @Test
  void fileNumbersRoundTrip() {
    List<Long> ids = List.of(16_386L, 16_385L, Long.MAX_VALUE, 1L);

    byte[] value = new CommitAttribute(ids).toBytes();

    assertThat(CommitAttribute.parse(value).fileIds()).isEqualTo(ids);
    assertThat(new String(new CommitAttribute(List.of(40L, 41L, 39L)).toBytes(), US_ASCII))
        .isEqualTo("14 1 -2");
  }

  @Test
  void numbersOfThousandsOfOutputsFitIntoAnAttribute() {
    List<Long> ids = LongStream.range(0, 4_000).mapToObj(i -> (1L << 40) + i * 7).toList();

    assertThat(new CommitAttribute(ids).toBytes()).hasSizeLessThan(16 << 10);
  }

  @Test
  void invalidMarksAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommitAttribute.parse("12 what's this?".getBytes(US_ASCII)))
        .withMessage("Cannot parse numbers of files: '12 what's this?'");
    assertThatIllegalArgumentException().isThrownBy(() -> CommitAttribute.parse(new byte[0]));
  }
}
