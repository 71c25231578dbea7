package dev.weir.bench.morph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.bench.disks.DiskCounters;
import dev.weir.bench.disks.DiskRate;
import dev.weir.bench.morph.MorphRun.LoadLevel;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MorphResultsTest {
  @TempDir private Path out;

  private static MorphRun run(String setup, int repeat, double capacity, int... megabytes) {
    List<LoadLevel> levels =
        Arrays.stream(megabytes)
            .mapToObj(
                number ->
                    new LoadLevel(
                        1,
                        2,
                        new MorphRun.Moved(1_900_000L * number, 100_000L * number),
                        new DiskCounters(1_710_000L * number, 5, 7, 1),
                        new MorphRun.Operations(9, 1)))
            .toList();
    return new MorphRun(new PlannedRun("video", setup, repeat), 1, capacity, levels);
  }

  private MorphResults results(List<MorphRun> runs) {
    MorphRunner.Scale scale =
        new MorphRunner.Scale(
            24, 32L << 20, new DiskRate(32_000_000, 400), Duration.ofSeconds(6), List.of(1, 4));
    Session session = new Session(1, Instant.EPOCH, 0, 1.5, "abc");
    return new MorphResults(
        new MorphBench.Plan(out, 4, scale, Map.of(), 2), List.of(session), runs);
  }

  @Test
  void harmonicMeanOfTheLevels() {
    MorphRun run = run("jbod", 1, 1, 20, 60);

    assertThat(run.levels().get(0).throughput()).isCloseTo(20e6, within(1.0));
    assertThat(run.harmonicMean()).isCloseTo(30e6, within(1.0));
    assertThat(run("jbod", 1, 1, 20, 0).harmonicMean()).isZero();
  }

  @Test
  void shareOfTheBytesReadFromDisks() {
    assertThat(run("jbod", 1, 1, 20, 60).deviceShare()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void tablesHaveTheOrderOfTheSetups() {
    String text =
        results(
                List.of(
                    run("weir-2.2", 2, 2.2, 40, 120),
                    run("weir-2.2", 1, 2.2, 40, 80),
                    run("weir-1.2", 1, 1.2, 30, 30),
                    run("jbod", 1, 1, 20, 60)))
            .markdown();

    assertThat(text)
        .contains("## video")
        .doesNotContain("## mongodb")
        .containsSubsequence(
            "| jbod | 1 | 1.00 | 20.0 | 60.0 | 30.0 | – | 1.00 |",
            "| weir-1.2 | 1 | 1.20 | 30.0 | 30.0 | 30.0 | – | 1.00 |",
            "| weir-2.2 | 2 | 2.20 | 40.0 | 100.0 | 56.7 |");
  }

  @Test
  void csvHasALineForEachLevel() {
    assertThat(results(List.of(run("jbod", 1, 1, 20, 60))).csv().lines())
        .hasSize(4)
        .anyMatch(
            line -> line.startsWith("video,jbod,1,1,1.0000,1,2.000,38000000,2000000,34200000"));
  }

  @Test
  void pageHasCapacityAndThroughput() throws IOException {
    MorphResults results = results(List.of(run("weir-2.2", 1, 2.2, 40, 120)));

    JsonNode setup = MorphPage.json(results).at("/workloads/0/setups/0");

    assertThat(setup.path("kind").asText()).isEqualTo("weir");
    assertThat(setup.path("capacity").asDouble()).isEqualTo(2.2);
    assertThat(setup.path("levels").path(1).asDouble()).isCloseTo(120, within(1e-6));
    results.write();
    assertThat(out.resolve("morph.html")).content().contains("Replicas by use");
    assertThat(out.resolve("morph.csv")).exists();
  }

  @Test
  void runsAreStored() throws IOException {
    MorphRun run = run("weir-1.2", 3, 1.2, 20, 60);
    try (SeriesDirectory series =
        SeriesDirectory.open(out.resolve("series"), SeriesParameters.none(), false)) {
      series.keep(run);

      assertThat(series.runs("video", MorphRun.class)).containsExactly(run);
      assertThat(series.runs("mongodb", MorphRun.class)).isEmpty();
    }
  }
}
