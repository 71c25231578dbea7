package dev.weir.bench.patterns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.KeptSeries;
import dev.weir.bench.series.LocalTime;
import dev.weir.bench.series.Runs;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatternResultsTest {
  private static final Experiment ONE =
      new Experiment(Pattern.PIPELINE, PatternSize.SMALL, Variant.PLAIN, 0.01, 8, 1.25e6);

  /** A link of the first session looked slower than it is. */
  private static final List<Session> SESSIONS =
      List.of(
          new Session(1, Instant.parse("2026-11-22T03:00:00Z"), 1.0e6, 3.5, "abc"),
          new Session(2, Instant.parse("2026-11-23T03:00:00Z"), 1.25e6, 0.25, "abc"));

  @TempDir private Path folder;

  private PatternResults results(SeriesDirectory directory) throws IOException {
    List<String> groups = Part.all(ONE).stream().map(Part::group).toList();
    return new PatternResults(
        folder,
        new KeptSeries(directory, groups),
        SESSIONS,
        new PatternResults.Cluster(ONE, "10mbit", false, 2));
  }

  @Test
  void tablesAreOfAllSessionsAndSayHowManyRunsThereAre() throws IOException {
    String group =
        new Part(ONE.of(Pattern.BROADCAST, PatternSize.MEDIUM, Variant.PLAIN), false, List.of())
            .group();
    assertThat(group).isEqualTo("broadcast-medium-plain");
    try (SeriesDirectory directory = SeriesDirectory.open(folder, SeriesParameters.none(), false)) {
      directory.keep(Runs.of(new Turn(group, "weir", 1), 1.0, 1));
      directory.keep(Runs.of(new Turn(group, "weir", 2), 1.5, 2));
      directory.keep(Runs.of(new Turn(group, "stock-r1", 1), 4, 1));
      directory.keep(group, new LocalTime(1, 1, 0.4));
      directory.keep(group, new LocalTime(2, 2, 0.2));
      PatternResults results = results(directory);

      results.write();

      Bound bound = results.outcomes().get(0).bound();
      assertThat(bound.linkSeconds()).as("1 MB at the fastest").isEqualTo(0.8);
      assertThat(bound.localSeconds()).as("the shortest").isEqualTo(0.2);
      assertThat(Files.readString(folder.resolve("patterns.md")))
          .contains("in 2 sessions. 2026-11-22, 2026-11-23, 2 processors.")
          .contains("| stock-r1 | 1 | 4.00 | 0.00 | 4.00 |")
          .contains("| weir | 2 | 1.25 | 0.35 | 1.25 |")
          .contains("Beside its tasks a run takes 21.0 s (median): inputs 1.0, rest before 2.0,")
          .contains("| 1 | 2026-11-22T03:00:00Z | 1.000 MB/s | 3.5 | abc | 2 |")
          .contains("| 2 | 2026-11-23T03:00:00Z | 1.250 MB/s | 0.3 | abc | 1 |");
      List<String> csv = Files.readAllLines(folder.resolve("patterns.csv"));
      assertThat(csv).hasSize(4);
      assertThat(csv.get(0).split(",", -1)).hasSameSizeAs(csv.get(1).split(",", -1));
      assertThat(csv.get(3))
          .startsWith("broadcast,plain,medium,0.01,8,weir,2,1.500,")
          .endsWith(
              ",work=1.500,2,2026-11-22T02:59:50Z,21.000,1.000,2.000,4.500,4.000,5.000,6.000");
      assertThat(Files.readString(folder.resolve("patterns.html"))).contains("\"runs\":2");
    }
  }

  @Test
  void replicasAreATableOfTheirOwn() {
    Experiment broadcast = ONE.of(Pattern.BROADCAST, PatternSize.MEDIUM, Variant.PLAIN);
    Part plain = new Part(broadcast, false, List.of(Setup.WEIR));
    Part replicas = new Part(broadcast, true, List.of(Setup.withCopies(4), Setup.WEIR));

    assertThat(replicas.group()).isNotEqualTo(plain.group());
    assertThat(replicas.turns().setups()).containsExactly("copies-4", "weir");
    assertThat(Setup.ofLabel("copies-4")).isEqualTo(Setup.withCopies(4));
    assertThat(Part.all(ONE)).extracting(Part::group).doesNotHaveDuplicates();
    assertThat(Part.all(ONE))
        .extracting(Part::title)
        .contains("broadcast, medium, by replicas", "reduce in waves, large");
  }
}
