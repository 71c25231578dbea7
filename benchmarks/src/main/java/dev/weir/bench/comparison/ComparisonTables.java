package dev.weir.bench.comparison;

import static dev.weir.bench.report.MarkdownTable.NONE;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.RunOverheadTable;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/** Writes comparisons as Markdown and as CSV. */
final class ComparisonTables {
  private static final double MB = 1e6;
  private static final double SIGNIFICANCE = 0.05;

  private final List<Comparison> comparisons;
  private final List<Setup> setups;

  private ComparisonTables(List<Comparison> comparisons) {
    this.comparisons = comparisons;
    this.setups = SeriesSamples.setups(comparisons.stream().map(Comparison::series));
  }

  /**
   * A column after those of the setups.
   *
   * @param ratio of which the last row has the geometric mean
   */
  private record Column(
      String name,
      Function<Comparison, String> cell,
      Function<Comparison, Optional<Double>> ratio) {

    static Column of(String name, Function<Comparison, Optional<TimingComparison>> versus) {
      return new Column(
          name,
          comparison -> versus.apply(comparison).map(TimingComparison::text).orElse(NONE),
          comparison -> versus.apply(comparison).map(TimingComparison::ratio));
    }
  }

  /**
   * Returns all comparisons.
   *
   * @param about the conditions of the measurement
   */
  static String markdown(List<Comparison> comparisons, String about) {
    return about + "\n\n" + new ComparisonTables(comparisons).markdown();
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    text.append(seconds()).append('\n');
    text.append(verdict());
    text.append(wholeCommands()).append('\n');
    text.append(
            table(
                "read locally, over the network, in HDFS at most",
                (comparison, setup) -> bytes(comparison.series().of(setup)),
                List.of()))
        .append('\n');
    text.append(
            table(
                "stage-in from outside, s",
                (comparison, setup) -> time(comparison, setup, ComparisonTables::stageIn),
                List.of()))
        .append('\n');
    text.append(
            table(
                "runs (median s beside the tasks, from the end until the cluster is idle)",
                (comparison, setup) -> runs(comparison.series().overheads(setup)),
                List.of()))
        .append('\n');
    text.append(RunOverheadTable.of(overheads(), failures())).append('\n');
    for (Comparison comparison : comparisons) {
      text.append("- " + comparison.name() + ": " + comparison.about() + "\n");
    }
    return text.toString();
  }

  private String seconds() {
    List<Column> columns = new ArrayList<>();
    if (setups.stream().anyMatch(Setup::isStock)) {
      columns.add(Column.of("best stock ÷ weir", Comparison::bestStock));
      columns.add(
          Column.of(
              "with stage-in",
              comparison ->
                  comparison.series().bestStockVersusWeir(ComparisonTables::withStageIn)));
      columns.add(versusWeir(Setup.STOCK_R3, Sample::seconds));
    }
    for (Setup foreign : foreign()) {
      columns.add(versusWeir(foreign, Sample::seconds));
    }
    if (setups.contains(Setup.SHARED)) {
      columns.add(
          Column.of(
              "best stock ÷ shared",
              comparison -> comparison.series().bestStockVersus(Setup.SHARED, Sample::seconds)));
    }
    return table(
        "seconds", (comparison, setup) -> time(comparison, setup, Sample::seconds), columns);
  }

  private List<Setup> foreign() {
    return setups.stream().filter(Setup::isForeign).toList();
  }

  private static Column versusWeir(Setup setup, ToDoubleFunction<Sample> time) {
    return Column.of(
        setup.label() + " ÷ weir", comparison -> comparison.series().versusWeir(setup, time));
  }

  private static double withStageIn(Sample run) {
    return stageIn(run) + run.seconds();
  }

  /** Returns the duration of the upload of inputs to HDFS. */
  private static double stageIn(Sample run) {
    return run.notes().steps().provide();
  }

  /** Returns the times of whole commands, and by which factor the cost of data falls. */
  private String wholeCommands() {
    List<Column> columns = new ArrayList<>();
    if (setups.stream().anyMatch(Setup::isStock)) {
      columns.add(
          Column.of(
              "best stock ÷ weir",
              comparison -> comparison.series().bestStockVersusWeir(Sample::command)));
    }
    for (Setup foreign : foreign()) {
      columns.add(versusWeir(foreign, Sample::command));
    }
    columns.add(
        new Column(
            "without data, s",
            comparison -> format("%.1f", Optional.ofNullable(comparison.withoutData())),
            comparison -> Optional.empty()));
    columns.add(
        new Column(
            "data's cost, best stock ÷ weir",
            comparison -> format("%.2f", comparison.dataCostRatio()),
            Comparison::dataCostRatio));
    return table(
        "whole command, s",
        (comparison, setup) -> time(comparison, setup, Sample::command),
        columns);
  }

  /** Returns a table with a row for each subject. */
  private String table(
      String corner, BiFunction<Comparison, Setup, String> cell, List<Column> columns) {
    List<String> names = new ArrayList<>(List.of(corner));
    setups.forEach(setup -> names.add(setup.label()));
    columns.forEach(column -> names.add(column.name()));
    MarkdownTable table = new MarkdownTable(names);
    for (Comparison comparison : comparisons) {
      List<String> cells = new ArrayList<>(List.of(comparison.name()));
      setups.forEach(setup -> cells.add(cell.apply(comparison, setup)));
      columns.forEach(column -> cells.add(column.cell().apply(comparison)));
      table.row(cells);
    }
    if (comparisons.size() > 1 && !columns.isEmpty()) {
      List<String> means = new ArrayList<>(List.of("geometric mean"));
      setups.forEach(setup -> means.add(""));
      columns.forEach(column -> means.add(mean(column)));
      table.row(means);
    }
    return table.toString();
  }

  private String mean(Column column) {
    double[] ratios =
        comparisons.stream()
            .flatMap(comparison -> column.ratio().apply(comparison).stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    return ratios.length == 0 ? "" : format("%.2f", StatUtils.geometricMean(ratios));
  }

  /** Returns how many subjects are faster or slower; empty if no subject can be compared. */
  private String verdict() {
    List<TimingComparison> compared =
        comparisons.stream().flatMap(comparison -> comparison.bestStock().stream()).toList();
    List<TimingComparison> significant =
        compared.stream().filter(best -> best.p() < SIGNIFICANCE).toList();
    return compared.isEmpty()
        ? ""
        : format(
            "Faster than the best stock: %d of %d, %d of them with p < 0.05; slower with p < 0.05:"
                + " %d.\n\n",
            compared.stream().filter(best -> best.ratio() > 1).count(),
            compared.size(),
            significant.stream().filter(best -> best.ratio() > 1).count(),
            significant.stream().filter(best -> best.ratio() < 1).count());
  }

  private static String time(Comparison comparison, Setup setup, ToDoubleFunction<Sample> time) {
    return TimingStatistics.text(comparison.series().bySetup(time).get(setup));
  }

  private static String runs(List<RunOverhead> runs) {
    return runs.isEmpty()
        ? NONE
        : format(
            "%d (%.1f, %.1f)",
            runs.size(), RunOverhead.median(runs), RunOverhead.medianSettle(runs));
  }

  private static String bytes(List<Sample> samples) {
    return samples.isEmpty()
        ? NONE
        : format(
            "%.0f %%, %.0f MB, %.0f MB",
            100 * Sample.meanLocalShare(samples),
            Sample.meanNetworkBytes(samples) / MB,
            Sample.meanPeakStorage(samples) / MB);
  }

  private Map<String, List<RunOverhead>> overheads() {
    Map<String, List<RunOverhead>> overheads = new LinkedHashMap<>();
    for (Setup setup : setups) {
      overheads.put(
          setup.label(),
          comparisons.stream()
              .flatMap(comparison -> comparison.series().overheads(setup).stream())
              .toList());
    }
    return overheads;
  }

  private Map<String, FailureCounts> failures() {
    Map<String, FailureCounts> all = new TreeMap<>();
    comparisons.forEach(
        comparison ->
            comparison
                .failures()
                .forEach((label, counts) -> all.merge(label, counts, FailureCounts::plus)));
    return all;
  }

  static String csvHeader() {
    return "subject,setup,repeat,seconds,whole_seconds,local_share,network_bytes,"
        + "peak_storage_bytes,stages,session,begun,overhead_seconds,stage_in_seconds,"
        + "rest_seconds,submitted_seconds,settle_seconds,fetch_seconds,clean_seconds\n";
  }

  static String csv(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    for (Sample sample : comparison.series().samples()) {
      text.append(
          format(
              "%s,%s,%d,%.3f,%.3f,%.4f,%d,%d,%s\n",
              comparison.name(),
              sample.setup().label(),
              sample.repeat(),
              sample.seconds(),
              sample.times().whole(),
              sample.localShare(),
              sample.usage().networkBytes(),
              sample.usage().peakStorage(),
              sample.csvOfSteps()));
    }
    return text.toString();
  }

  private static String format(String format, Optional<Double> value) {
    return value.map(known -> format(format, known)).orElse(NONE);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
