package dev.weir.bench.patterns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.FailedRun;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.SampleRuns;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.workflow.record.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatternResultsTest {
  private static final Experiment ONE =
      new Experiment(Pattern.PIPELINE, PatternSize.SMALL, PatternVariant.PLAIN, 0.01, 8, 1.25e6);

  /** A link of the first session looked slower than it is. */
  private static final List<Session> SESSIONS =
      List.of(
          new Session(1, Instant.parse("2026-11-22T03:00:00Z"), 1.0e6, 3.5, "abc"),
          new Session(2, Instant.parse("2026-11-23T03:00:00Z"), 1.25e6, 0.25, "abc"));

  @TempDir private Path folder;

  private PatternResults results(SeriesDirectory directory) throws IOException {
    return results(directory, ONE, false);
  }

  private PatternResults results(SeriesDirectory directory, Experiment one, boolean staged)
      throws IOException {
    List<String> groups = one.all().stream().map(Experiment::group).toList();
    return new PatternResults(
        folder,
        new RecordedSeries<>(directory, groups, RecordedRun.class),
        SESSIONS,
        new PatternResults.Cluster(
            one, "10mbit", staged, 2, "./weir bench patterns --link 10mbit"));
  }

  private SeriesDirectory open() throws IOException {
    return SeriesDirectory.open(folder, SeriesParameters.none(), false);
  }

  @Test
  void tablesAreOfAllSessionsAndSayHowManyRunsThereAre() throws IOException {
    String group = ONE.of(Pattern.BROADCAST, PatternSize.MEDIUM, PatternVariant.PLAIN).group();
    assertThat(group).isEqualTo("broadcast-medium-plain");
    try (SeriesDirectory directory = open()) {
      directory.keep(SampleRuns.of(new PlannedRun(group, "weir", 1), 1.0, 1));
      directory.keep(SampleRuns.of(new PlannedRun(group, "weir", 2), 1.5, 2));
      directory.keep(SampleRuns.of(new PlannedRun(group, "stock-r1", 1), 4, 1));
      directory.keep(group, new LocalRunTime(1, 1, 0.4));
      directory.keep(group, new LocalRunTime(2, 2, 0.2));
      PatternResults results = results(directory);

      results.write();

      LowerBound bound = results.outcomes().get(0).bound();
      assertThat(bound.linkSeconds()).as("1 MB at the fastest").isEqualTo(0.8);
      assertThat(bound.localSeconds()).as("the shortest").isEqualTo(0.2);
      assertThat(Files.readString(folder.resolve("patterns.md")))
          .contains("in 2 sessions. 2026-11-22, 2026-11-23, 2 processors.")
          .contains("| setup | runs | repetitions | s | ± | ÷ bound | p | until idle, s |")
          .contains("| stock-r1 | 1 | 1 | 4.00 | – | 4.00 | needs 2 runs | 4.0 |")
          .contains("| weir | 2 | 2 | 1.25 | 0.35 | 1.25 |  | 4.0 |")
          .contains("best stock ÷ weir 3.20 (p needs 2 runs); stock r3 ÷ weir –")
          .contains("The setups have different numbers of runs: stock-r1 1, weir 2.")
          .contains("| weir | 2 | 21.0 | 1.0 | 2.0 | 3.0 | 4.0 | 5.0 | 6.0 | 0 | 0 | 0 | 0 |")
          .contains("| 1 | 2026-11-22T03:00:00Z | 1.000 MB/s | 3.5 | abc | 2 |")
          .contains("| 2 | 2026-11-23T03:00:00Z | 1.250 MB/s | 0.3 | abc | 1 |");
      List<String> csv = Files.readAllLines(folder.resolve("patterns.csv"));
      assertThat(csv).hasSize(5);
      assertThat(csv.get(0)).isEqualTo("# ./weir bench patterns --link 10mbit  # abc");
      assertThat(csv.get(1).split(",", -1)).hasSameSizeAs(csv.get(2).split(",", -1));
      assertThat(csv.get(4))
          .startsWith("broadcast,plain,medium,0.01,8,weir,2,1.500,")
          .endsWith(
              ",work=1.500,2,2026-11-22T02:59:50Z,21.000,1.000,2.000,4.500,4.000,5.000,6.000,2");
      assertThat(Files.readString(folder.resolve("patterns.html")))
          .contains("\"bound\":1.0,", "\"runs\":2", "| weir | 2 | 2 | 1.25 | 0.35 | 1.25 |");
    }
  }

  @Test
  void repetitionsInARowAreNoRunsOfTheirOwn() throws IOException {
    String group = "pipeline-small-plain";
    try (SeriesDirectory directory = open()) {
      directory.keep(SampleRuns.inARow(new PlannedRun(group, "weir", 1), List.of(1.0, 3.0)));
      directory.keep(SampleRuns.inARow(new PlannedRun(group, "weir", 2), List.of(1.2, 3.2)));
      directory.keep(SampleRuns.inARow(new PlannedRun(group, "stock-r3", 1), List.of(5.0, 5.0)));
      directory.keep(new FailedRun(new PlannedRun(group, "stock-r1", 1), "no worker on n3"));
      directory.keep(group, new LocalRunTime(1, 1, 0.5));
      PatternResults results = results(directory, ONE.inARow(2), false);

      results.write();

      assertThat(results.markdown())
          .contains("| setup | runs | repetitions | s | ± | ± within a run | ÷ bound | p |")
          .contains("| weir | 2 | 4 | 2.10 | 0.14 | 1.41 | 4.20 |  | 4.0 |")
          .contains("| stock-r3 | 1 | 2 | 5.00 | – | 0.00 | 10.00 | needs 2 runs | 4.0 |")
          .contains("| stock-r1 | 0 | – | – | – | – | – | – | – | 1 | 0 | 0 | 0 |");
      List<String> csv = Files.readAllLines(folder.resolve("patterns.csv"));
      assertThat(csv.get(1)).endsWith(",run");
      assertThat(csv.subList(4, 8))
          .extracting(line -> line.substring(line.length() - 2))
          .containsExactly(",1", ",1", ",2", ",2");
    }
  }

  @Test
  void stagingIsComparedWithStockAsTheWholeIs() throws IOException {
    String group = "scatter-medium-plain";
    try (SeriesDirectory directory = open()) {
      directory.keep(staged(new PlannedRun(group, "stock-r3", 1), 9));
      directory.keep(staged(new PlannedRun(group, "stock-r3", 2), 11));
      directory.keep(staged(new PlannedRun(group, "weir", 1), 2));
      directory.keep(staged(new PlannedRun(group, "weir", 2), 4));
      PatternResults results = results(directory, ONE, true);

      results.write();

      assertThat(results.markdown())
          .contains("| ÷ bound | p | with staging, s | ± | p | until idle, s |")
          .contains("| 0.038 | 18.00 | 1.41 | 0.038 | 4.0 |")
          .contains("best stock ÷ weir 2.40 (p = 0.038); stock r3 ÷ weir 2.40 (p = 0.038)\n")
          .contains("With staging: best stock ÷ weir 1.64 (p = 0.038); stock r3 ÷ weir 1.64")
          .as("a task of each run was begun again when it had failed")
          .contains("| 4.0 | 5.0 | 6.0 | 0 | 2 | 2 | 0 |");
    }
  }

  /** Five seconds of stage-in, two of producers, some of consumers, and one of stage-out. */
  private static RecordedRun staged(PlannedRun planned, int consuming) {
    return SampleRuns.of(
        SampleRuns.of(planned, 8 + consuming),
        List.of(
            SampleRuns.attempt("stage-in", 1, Outcome.SUCCEEDED, 0, 5),
            SampleRuns.attempt("produce", 1, Outcome.SUCCEEDED, 5, 2),
            SampleRuns.attempt("consume", 1, Outcome.FAILED, 6, 1),
            SampleRuns.attempt("consume", 2, Outcome.SUCCEEDED, 7, consuming),
            SampleRuns.attempt("stage-out", 1, Outcome.SUCCEEDED, 7 + consuming, 1)));
  }

  @Test
  void eachExperimentHasADirectoryOfItsOwn() {
    assertThat(ONE.all()).extracting(Experiment::group).doesNotHaveDuplicates();
  }
}
