package dev.weir.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.SetupsPage;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonsTest {
  private static final Comparison MOSAIC =
      comparison(
          "mosaic",
          "129 tasks",
          series(
              List.of(sample(Setup.STOCK_R3, 1, 30), sample(Setup.STOCK_R3, 2, 32)),
              List.of(sample(Setup.STOCK_R1, 1, 19), sample(Setup.STOCK_R1, 2, 21)),
              List.of(sample(Setup.WEIR, 1, 9.5), sample(Setup.WEIR, 2, 10.5))));
  private static final Comparison GENES =
      new Comparison(
          "genes",
          "41 tasks",
          series(List.of(sample(Setup.STOCK_R3, 1, 8)), List.of(sample(Setup.WEIR, 1, 16))),
          Map.of("weir", new FailureCounts(1, 2, 0, 1)),
          null);

  @TempDir Path directory;

  @Test
  void comparesWithTheFasterStockSetup() {
    assertThat(MOSAIC.bestStock())
        .hasValueSatisfying(
            best -> {
              assertThat(best.ratio()).isEqualTo(2.0);
              assertThat(best.p()).isBetween(0.0, 0.05);
            });
    assertThat(MOSAIC.series().versusWeir(Setup.STOCK_R3, Sample::seconds))
        .hasValueSatisfying(r3 -> assertThat(r3.ratio()).isCloseTo(3.1, within(1e-9)));
    assertThat(MOSAIC.series().versusWeir(Setup.DISPATCH_R3, Sample::seconds)).isEmpty();
  }

  @Test
  void sharedDirectoryIsComparedWithWeirAndStock() {
    Comparison mosaic =
        comparison(
            "mosaic",
            "",
            series(
                List.of(sample(Setup.SHARED, 1, 40)),
                List.of(sample(Setup.STOCK_R1, 1, 20)),
                List.of(sample(Setup.WEIR, 1, 10))));

    String table = ComparisonTables.markdown(List.of(mosaic), "");

    assertThat(table)
        .contains("| seconds | shared | stock-r1 | weir | best stock ÷ weir | with stage-in |")
        .contains("| – | 4.00 (p needs 2 runs) | 0.50 (p needs 2 runs) |");
    assertThat(ComparisonTables.markdown(List.of(MOSAIC), "")).doesNotContain("shared");
  }

  @Test
  void comparisonIsEmptyWithoutRunsOfWeir() {
    Comparison stock = comparison("s", "", series(List.of(sample(Setup.STOCK_R1, 1, 5))));

    assertThat(stock.bestStock()).isEmpty();
  }

  @Test
  void tableHasARowPerSubjectAndTheGeometricMean() {
    String table = ComparisonTables.markdown(List.of(MOSAIC, GENES), "Two nodes.");

    // The geometric mean of 2 and 0.5 is 1.
    assertThat(table)
        .contains(
            "| mosaic | 31.00 ± 1.41 | 20.00 ± 1.41 | 10.00 ± 0.71 | 2.00 (p = 0.029)"
                + " | 1.67 (p = 0.065) | 3.10 (p = ")
        .contains("| genes | 8.00 | – | 16.00 | 0.50 (p needs 2 runs) | 0.60 (p needs 2 runs) |")
        .contains("| geometric mean |  |  |  | 1.00 | 1.00 | 1.24 |")
        .contains("Faster than the best stock: 1 of 2, 1 of them with p < 0.05; slower")
        .contains("| mosaic | 75 %, 2 MB, 5 MB | 75 %, 2 MB, 5 MB | 75 %, 2 MB, 5 MB |")
        .contains("| stage-in from outside, s | stock-r3 | stock-r1 | weir |")
        .contains("| mosaic | 5.00 ± 1.41 | 5.00 ± 1.41 | 5.00 ± 1.41 |")
        .contains("from the end until the cluster is idle) | stock-r3 | stock-r1 | weir |")
        .contains("| genes | 1 (11.0, 1.0) | – | 1 (11.0, 1.0) |")
        .contains("| weir | 3 | 11.0 | 4.0 | 1.0 | 2.0 | 1.0 | 1.0 | 2.0 | 1 | 2 | 0 | 1 |")
        .contains("- genes: 41 tasks");
  }

  @Test
  void wholeCommandsAndTheCostOfDataAreCompared() {
    Comparison free = new Comparison("genes", "", MOSAIC.series(), Map.of(), 5.0);
    // (20 - 5) / (10 - 5), and each whole command takes 2 s longer than its tasks.
    assertThat(free.dataCostRatio()).hasValueSatisfying(r -> assertThat(r).isEqualTo(3.0));
    assertThat(MOSAIC.dataCostRatio()).isEmpty();
    assertThat(new Comparison("s", "", MOSAIC.series(), Map.of(), 10.0).dataCostRatio()).isEmpty();
    assertThat(ComparisonTables.markdown(List.of(free), ""))
        .contains("| whole command, s | stock-r3 | stock-r1 | weir | best stock ÷ weir | without")
        .contains("| genes | 33.00 ± 1.41 | 22.00 ± 1.41 | 12.00 ± 0.71 | 1.83 (p = ")
        .contains(" | 5.0 | 3.00 |");
  }

  @Test
  void singleSubjectHasNoMean() {
    assertThat(ComparisonTables.markdown(List.of(MOSAIC), "")).doesNotContain("geometric");
  }

  @Test
  void csvHasALinePerRun() {
    assertThat(ComparisonTables.csvHeader() + ComparisonTables.csv(GENES))
        .isEqualTo(
            """
            subject,setup,repeat,seconds,whole_seconds,local_share,network_bytes,peak_storage_bytes,stages,session,begun,overhead_seconds,stage_in_seconds,rest_seconds,submitted_seconds,settle_seconds,fetch_seconds,clean_seconds
            genes,stock-r3,1,8.000,9.000,0.7500,2000000,5000000,fit=3.000,2,2026-11-22T03:00:00Z,11.000,4.000,1.000,10.000,1.000,1.000,2.000
            genes,weir,1,16.000,17.000,0.7500,2000000,5000000,fit=3.000,2,2026-11-22T03:00:00Z,11.000,4.000,1.000,18.000,1.000,1.000,2.000
            """);
  }

  @Test
  void pageHasPlotsAndTablesAndNeedsNoNetwork() throws IOException {
    SetupsPage page = new SetupsPage("Two nodes.\n\n| a | b |\n|---|---|\n| c | d |\n");
    page.add("mosaic", MOSAIC.series(), OptionalDouble.of(3));
    page.add("genes", series(List.of(sample(Setup.WEIR, 1, 16))), OptionalDouble.empty());

    page.write("Mosaics", directory.resolve("page.html"));

    assertThat(directory.resolve("page.html"))
        .content()
        .contains("<h1>Mosaics</h1>", "| c | d |")
        .contains("\"name\":\"mosaic\",\"bound\":3.0,\"bestStockOverWeir\":2.0,")
        .contains("{\"label\":\"stock-r1\",\"runs\":2,\"mean\":20.0,\"deviation\":1.4")
        .contains("\"seconds\":[19.0,21.0]")
        .contains("\"name\":\"genes\",\"bestStockOverWeir\":null,\"stockR3OverWeir\":null")
        .doesNotContain("@@");
  }

  private static Comparison comparison(String name, String about, SeriesSamples series) {
    return new Comparison(name, about, series, Map.of(), null);
  }

  @SafeVarargs
  private static SeriesSamples series(List<Sample>... samples) {
    List<Sample> all = new ArrayList<>();
    for (List<Sample> some : samples) {
      all.addAll(some);
    }
    return new SeriesSamples(all);
  }

  private static Sample sample(Setup setup, int repeat, double seconds) {
    SortedMap<String, Double> stages = new TreeMap<>();
    stages.put("fit", 3.0);
    return new Sample(
        setup,
        repeat,
        new Sample.Times(seconds, seconds, seconds + 1),
        stages,
        0.75,
        new RunNotes(
            2,
            Instant.parse("2026-11-22T03:00:00.123Z"),
            new RunUsage(2_000_000, 5_000_000),
            new RunSteps(2 + 2 * repeat, 1, seconds + 2, 1, 1, 4 - 2 * repeat)));
  }
}
