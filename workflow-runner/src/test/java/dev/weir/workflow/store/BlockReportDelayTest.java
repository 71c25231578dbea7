package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits as long as block reports usually take, and no longer. */
class BlockReportDelayTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 8, 15})
  void mostQueriesAreNeitherEarlyNorLate(int usual) {
    BlockReportDelay lag = new BlockReportDelay();
    Random random = new Random(usual);
    int early = 0;
    long waited = 0;
    for (int i = 0; i < 1000; i++) {
      double report = usual * (0.5 + random.nextDouble());
      long wait = lag.millis();
      lag.asked(wait >= report);
      early += wait >= report ? 0 : 1;
      waited += wait;
    }

    assertThat(early).isLessThan(180);
    assertThat(waited).isLessThanOrEqualTo(1000L * (2 * usual + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 10_000})
  void missingReportIsNotAwaited(int often) {
    BlockReportDelay lag = new BlockReportDelay();
    for (int i = 0; i < often; i++) {
      lag.asked(false);
    }

    assertThat(lag.millis()).isEqualTo(25);
  }
}
