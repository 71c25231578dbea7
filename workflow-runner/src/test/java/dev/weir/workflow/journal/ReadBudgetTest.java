package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** Limits on reading. */
class ReadBudgetTest {

  private static InputStream file(int bytes) {
    return new ByteArrayInputStream(new byte[bytes]);
  }

  @Test
  void budgetLimitsTheBytesOfAllFiles() throws IOException {
    ReadBudget allowance = ReadBudget.ofBytes(30);

    assertThat(allowance.metered(file(10)).readAllBytes()).hasSize(10);
    assertThat(allowance.covers(20)).isTrue();
    assertThat(allowance.covers(21)).isFalse();
    assertThat(allowance.spent()).isNull();
    assertThat(allowance.metered(file(20)).readAllBytes()).hasSize(20);

    assertThatThrownBy(() -> allowance.metered(file(1)).readAllBytes())
        .isInstanceOf(ReadBudget.SpentException.class)
        .hasMessageContaining("more than 0 MiB");
    assertThat(allowance.spent()).isNotNull();
  }

  @Test
  void singleByteReadsCount() throws IOException {
    ReadBudget allowance = ReadBudget.ofBytes(1);
    InputStream in = allowance.metered(file(2));

    assertThat(in.read()).isZero();

    assertThatThrownBy(in::read).isInstanceOf(ReadBudget.SpentException.class);
  }
}
