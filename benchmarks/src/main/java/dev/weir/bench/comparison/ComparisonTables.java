package dev.weir.bench.comparison;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.RunOverheadTable;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes comparisons as Markdown and as CSV. */
final class ComparisonTables {
  private static final double MB = 1e6;
  private static final String NONE = "–";

  private ComparisonTables() {}

  /**
   * Returns all comparisons.
   *
   * @param about the conditions of the measurement
   */
  static String markdown(List<Comparison> comparisons, String about) {
    List<Setup> setups = setups(comparisons);
    StringBuilder text = new StringBuilder();
    text.append(about).append("\n\n");
    text.append(times(comparisons, setups)).append('\n');
    text.append(verdict(comparisons));
    text.append(shared(comparisons, setups));
    text.append(wholeCommands(comparisons, setups)).append('\n');
    text.append(bytes(comparisons, setups)).append('\n');
    text.append(stageIns(comparisons, setups)).append('\n');
    text.append(runs(comparisons, setups)).append('\n');
    text.append(settles(comparisons, setups)).append('\n');
    text.append(RunOverheadTable.of(beside(comparisons, setups), failures(comparisons)))
        .append('\n');
    comparisons.forEach(comparison -> text.append("- ").append(describe(comparison)).append('\n'));
    return text.toString();
  }

  private static String describe(Comparison comparison) {
    return comparison.name() + ": " + comparison.about();
  }

  private static List<Setup> setups(List<Comparison> comparisons) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.series().bySetup().keySet().stream())
        .distinct()
        .sorted(Setup.ORDER)
        .toList();
  }

  private static String times(List<Comparison> comparisons, List<Setup> setups) {
    StringBuilder text = new StringBuilder();
    text.append("| |");
    setups.forEach(setup -> text.append(' ').append(setup.label()).append(", s |"));
    text.append(" best stock ÷ weir | p | with stage-in | p | stock-r3 ÷ weir |\n|---|");
    text.append("---|".repeat(setups.size() + 5)).append('\n');
    for (Comparison comparison : comparisons) {
      text.append("| ").append(comparison.name()).append(" |");
      for (Setup setup : setups) {
        text.append(' ').append(time(comparison.series().bySetup().get(setup))).append(" |");
      }
      text.append(' ').append(ratio(comparison.bestStockOverWeir().orElse(null))).append(" | ");
      text.append(comparison.pValue().map(TimingStatistics::p).orElse(NONE));
      text.append(" | ")
          .append(ratio(comparison.stagedBestStockOverWeir().orElse(null)))
          .append(" | ");
      text.append(
          comparison
              .stagedBestStockVersusWeir()
              .map(compared -> TimingStatistics.p(compared.p()))
              .orElse(NONE));
      text.append(" | ")
          .append(ratio(comparison.overWeir(Setup.STOCK_R3).orElse(null)))
          .append(" |\n");
    }
    if (comparisons.size() > 1) {
      text.append("| geometric mean |").append(" |".repeat(setups.size()));
      text.append(' ').append(mean(comparisons, Comparison::bestStockOverWeir)).append(" | | ");
      text.append(mean(comparisons, Comparison::stagedBestStockOverWeir)).append(" | | ");
      text.append(mean(comparisons, comparison -> comparison.overWeir(Setup.STOCK_R3)))
          .append(" |\n");
    }
    return text.toString();
  }

  /** Returns the times in a shared directory over Weir's; empty if that was not run. */
  private static String shared(List<Comparison> comparisons, List<Setup> setups) {
    if (!setups.contains(Setup.SHARED)) {
      return "";
    }
    StringBuilder text = new StringBuilder("| | shared ÷ weir | best stock ÷ shared |\n");
    text.append("|---|---|---|\n");
    for (Comparison comparison : comparisons) {
      text.append(
          format(
              "| %s | %s | %s |\n",
              comparison.name(),
              ratio(comparison.overWeir(Setup.SHARED).orElse(null)),
              ratio(comparison.bestStockOver(Setup.SHARED).orElse(null))));
    }
    text.append(
        format(
            "| geometric mean | %s | %s |\n\n",
            mean(comparisons, comparison -> comparison.overWeir(Setup.SHARED)),
            mean(comparisons, comparison -> comparison.bestStockOver(Setup.SHARED))));
    return text.toString();
  }

  /** Returns the times of whole commands, and by which factor the cost of data falls. */
  private static String wholeCommands(List<Comparison> comparisons, List<Setup> setups) {
    StringBuilder text = new StringBuilder("| whole command, s |");
    setups.forEach(setup -> text.append(' ').append(setup.label()).append(" |"));
    text.append(
        " best stock ÷ weir | p | without data, s | data's cost, best stock ÷ weir |\n|---|");
    text.append("---|".repeat(setups.size() + 4)).append('\n');
    for (Comparison comparison : comparisons) {
      Map<Setup, TimingStatistics> whole = comparison.whole();
      text.append("| ").append(comparison.name()).append(" |");
      setups.forEach(setup -> text.append(' ').append(time(whole.get(setup))).append(" |"));
      Double free = comparison.withoutData();
      text.append(
          format(
              " %s | %s | %s | %s |\n",
              ratio(comparison.wholeBestStockOverWeir().orElse(null)),
              comparison
                  .wholeBestStockVersusWeir()
                  .map(compared -> TimingStatistics.p(compared.p()))
                  .orElse(NONE),
              free == null ? NONE : format("%.1f", free),
              ratio(comparison.dataCostRatio().orElse(null))));
    }
    if (comparisons.size() > 1) {
      text.append("| geometric mean |").append(" |".repeat(setups.size()));
      text.append(
          format(
              " %s | | | %s |\n",
              mean(comparisons, Comparison::wholeBestStockOverWeir),
              mean(comparisons, Comparison::dataCostRatio)));
    }
    return text.toString();
  }

  /** Returns how many subjects are faster or slower; empty if no subject can be compared. */
  private static String verdict(List<Comparison> comparisons) {
    List<Comparison> compared =
        comparisons.stream()
            .filter(comparison -> comparison.bestStockOverWeir().isPresent())
            .toList();
    return compared.isEmpty()
        ? ""
        : format(
            "Faster than the best stock: %d of %d, %d of them with p < 0.05; slower with p < 0.05:"
                + " %d.\n\n",
            compared.stream()
                .filter(comparison -> comparison.bestStockOverWeir().orElse(0.0) > 1)
                .count(),
            compared.size(),
            compared.stream().filter(Comparison::isSignificantlyFaster).count(),
            compared.stream().filter(Comparison::isSignificantlySlower).count());
  }

  private static String mean(
      List<Comparison> comparisons, Function<Comparison, Optional<Double>> ratio) {
    List<Double> ratios =
        comparisons.stream().flatMap(comparison -> ratio.apply(comparison).stream()).toList();
    return ratios.isEmpty() ? NONE : format("%.2f", Comparison.geometricMean(ratios));
  }

  private static String time(@Nullable TimingStatistics figures) {
    if (figures == null) {
      return NONE;
    }
    return figures.seconds().size() < 2
        ? format("%.1f", figures.mean())
        : format("%.1f ± %.1f", figures.mean(), figures.deviation());
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? NONE : format("%.2f", ratio);
  }

  private static String bytes(List<Comparison> comparisons, List<Setup> setups) {
    return table(
        "read locally, over the network, in HDFS at most",
        comparisons,
        setups,
        (comparison, setup) -> bytes(comparison.series().of(setup)));
  }

  private static String stageIns(List<Comparison> comparisons, List<Setup> setups) {
    return table(
        "stage-in from outside, s",
        comparisons,
        setups,
        (comparison, setup) -> time(comparison.stageIn(setup).orElse(null)));
  }

  private static String runs(List<Comparison> comparisons, List<Setup> setups) {
    return table(
        "runs (median s beside the tasks)",
        comparisons,
        setups,
        (comparison, setup) -> runs(comparison.series().overheads(setup)));
  }

  private static String runs(List<RunOverhead> runs) {
    return runs.isEmpty() ? NONE : format("%d (%.1f)", runs.size(), RunOverhead.median(runs));
  }

  /**
   * Returns the time until the cluster is idle, which no workflow's time includes. HDFS creates
   * late replicas in it.
   */
  private static String settles(List<Comparison> comparisons, List<Setup> setups) {
    return table(
        "from the end until the cluster is idle, median s",
        comparisons,
        setups,
        (comparison, setup) -> settle(comparison.series().overheads(setup)));
  }

  private static String settle(List<RunOverhead> runs) {
    return runs.isEmpty() ? NONE : format("%.1f", RunOverhead.medianSettle(runs));
  }

  private static Map<String, List<RunOverhead>> beside(
      List<Comparison> comparisons, List<Setup> setups) {
    Map<String, List<RunOverhead>> beside = new LinkedHashMap<>();
    for (Setup setup : setups) {
      beside.put(
          setup.label(),
          comparisons.stream()
              .flatMap(comparison -> comparison.series().overheads(setup).stream())
              .toList());
    }
    return beside;
  }

  private static Map<String, FailureCounts> failures(List<Comparison> comparisons) {
    Map<String, FailureCounts> all = new TreeMap<>();
    comparisons.forEach(
        comparison ->
            comparison
                .failures()
                .forEach((label, counts) -> all.merge(label, counts, FailureCounts::plus)));
    return all;
  }

  private static String table(
      String corner,
      List<Comparison> comparisons,
      List<Setup> setups,
      BiFunction<Comparison, Setup, String> cell) {
    StringBuilder text = new StringBuilder("| ").append(corner).append(" |");
    setups.forEach(setup -> text.append(' ').append(setup.label()).append(" |"));
    text.append("\n|---|").append("---|".repeat(setups.size())).append('\n');
    for (Comparison comparison : comparisons) {
      text.append("| ").append(comparison.name()).append(" |");
      setups.forEach(setup -> text.append(' ').append(cell.apply(comparison, setup)).append(" |"));
      text.append('\n');
    }
    return text.toString();
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

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
