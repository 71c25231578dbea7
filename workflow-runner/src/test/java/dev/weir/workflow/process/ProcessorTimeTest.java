package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

  @Test
  void addsUpTheTimesPrintedByBash() {
    assertThat(ProcessorTime.parse("0m0.012s 0m0.003s")).isEqualTo(15);
    assertThat(ProcessorTime.parse("2m3.004s 1m0.000s")).isEqualTo(183_004);
    assertThat(ProcessorTime.parse("what")).isZero();
  }
}
