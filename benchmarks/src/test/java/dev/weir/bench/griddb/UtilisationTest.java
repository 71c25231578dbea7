package dev.weir.bench.griddb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.griddb.Utilisation.Command;
import java.util.List;
import org.junit.jupiter.api.Test;

class UtilisationTest {
  /** Worker 0 runs from 0 to 4 and from 5 to 9, worker 1 from 1 to 5. */
  private final Utilisation utilisation =
      new Utilisation(
          List.of(
              new Command(0, 5_000_000, 9_000_000),
              new Command(0, 0, 4_000_000),
              new Command(1, 1_000_000, 5_000_000)),
          2);

  @Test
  void sharesCountTheTimeInTheInterval() {
    assertThat(utilisation.whole()).isEqualTo(12.0 / 18);
    assertThat(utilisation.overTime(5_000_000)).containsExactly(8.0 / 10, 4.0 / 8);
  }

  @Test
  void theRampAndTheTailAreLeftOut() {
    assertThat(utilisation.ramp()).isEqualTo(1_000_000);
    assertThat(utilisation.afterRamp()).isEqualTo(7.0 / 8);
  }

  @Test
  void pausesAreThoseOfAWorker() {
    assertThat(utilisation.pauseMillis(0.5)).isEqualTo(1);
  }
}
