package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.bench.series.WrongResultException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class WarmUpRunsTest {
  private final StringWriter output = new StringWriter();
  private int runs;

  private void warmUp(int failing, IOException failure) throws Exception {
    WarmUpRuns.of(
        "warm-up, weir",
        () -> {
          runs++;
          if (runs <= failing) {
            throw failure;
          }
        },
        new PrintWriter(output));
  }

  @Test
  void failedRunIsRetriedAndReported() throws Exception {
    warmUp(2, new IOException("no worker on n3"));

    assertThat(runs).isEqualTo(3);
    assertThat(output.toString()).contains("warm-up, weir", "no worker on n3");
  }

  @Test
  void failsAfterThreeTries() {
    assertThatIOException()
        .isThrownBy(() -> warmUp(9, new IOException("no worker on n3")))
        .withMessage("no worker on n3");
    assertThat(runs).isEqualTo(3);
  }

  @Test
  void wrongResultsAreNotRetried() {
    assertThatIOException().isThrownBy(() -> warmUp(9, new WrongResultException("wrong bytes")));
    assertThat(runs).isEqualTo(1);
  }
}
