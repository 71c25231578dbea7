package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.bench.series.WrongResultException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class WarmUpRunsTest {
  private final StringWriter said = new StringWriter();
  private int made;

  private void rehearse(int failing, IOException failure) throws Exception {
    WarmUpRuns.of(
        "warm-up, weir",
        () -> {
          made++;
          if (made <= failing) {
            throw failure;
          }
        },
        new PrintWriter(said));
  }

  @Test
  void oneThatFailsIsMadeAgainAndTold() throws Exception {
    rehearse(2, new IOException("no worker on n3"));

    assertThat(made).isEqualTo(3);
    assertThat(said.toString()).contains("warm-up, weir", "no worker on n3");
  }

  @Test
  void oneThatAlwaysFailsEndsIt() {
    assertThatIOException()
        .isThrownBy(() -> rehearse(9, new IOException("no worker on n3")))
        .withMessage("no worker on n3");
    assertThat(made).isEqualTo(3);
  }

  @Test
  void wrongResultsAreNotTriedAgain() {
    assertThatIOException().isThrownBy(() -> rehearse(9, new WrongResultException("wrong bytes")));
    assertThat(made).isEqualTo(1);
  }
}
