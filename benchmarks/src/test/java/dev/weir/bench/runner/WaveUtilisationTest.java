package dev.weir.bench.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class WaveUtilisationTest {

  @Test
  void independentTasksFillAllButTheLastWave() {
    assertThat(WaveUtilisation.best(20, 5, 0)).isEqualTo(1);
    assertThat(WaveUtilisation.best(21, 5, 0)).isEqualTo(21.0 / 25);
    assertThat(WaveUtilisation.best(3, 5, 0)).isEqualTo(3.0 / 5);
  }

  @Test
  void taskAfterTheLastWaveNeedsAnotherWave() {
    assertThat(WaveUtilisation.best(11, 10, 10)).isEqualTo(11.0 / 20);
    assertThat(WaveUtilisation.best(10_000, 1_000, 10)).isEqualTo(10.0 / 11);
    assertThat(WaveUtilisation.best(100_000, 5_000, 10)).isEqualTo(1);
  }

  @Test
  void equalsASimulationOfTheWaves() {
    Random random = new Random(5);
    for (int i = 0; i < 1_000; i++) {
      int tasks = 1 + random.nextInt(500);
      int workers = 1 + random.nextInt(60);
      int width = random.nextInt(5);

      assertThat(WaveUtilisation.best(tasks, workers, width))
          .as("%d tasks, %d workers, width %d", tasks, workers, width)
          .isEqualTo((double) tasks / (workers * simulateWaves(tasks, workers, width)));
    }
  }

  private static int simulateWaves(int tasks, int workers, int width) {
    int joins = width == 0 ? 0 : tasks / (width + 1);
    int parts = joins * width;
    int others = tasks - joins - parts;
    int partsDone = 0;
    int restDone = 0;
    int waves = 0;
    while (partsDone + restDone < tasks) {
      int ready = others + (width == 0 ? 0 : partsDone / width);
      int now = Math.min(workers, parts - partsDone);
      restDone += Math.min(workers - now, ready - restDone);
      partsDone += now;
      waves++;
    }
    return waves;
  }
}
