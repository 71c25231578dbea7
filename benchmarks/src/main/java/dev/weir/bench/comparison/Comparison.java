package dev.weir.bench.comparison;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * The results of a subject.
 *
 * @param name of the subject
 * @param about its description, with the scale
 * @param series its runs
 * @param failures by the labels of setups
 * @param withoutData seconds that its tasks take without data; null if unknown
 */
record Comparison(
    String name,
    String about,
    SeriesSamples series,
    Map<String, FailureCounts> failures,
    @Nullable Double withoutData) {
  private static final double SIGNIFICANCE = 0.05;

  Comparison {
    failures = Map.copyOf(failures);
  }

  /** Creates the results of runs without failures, whose time without data is unknown. */
  Comparison(String name, String about, SeriesSamples series) {
    this(name, about, series, Map.of(), null);
  }

  /** Returns the times of whole commands, by setup. */
  Map<Setup, TimingStatistics> whole() {
    return series.bySetup(run -> run.notes().steps().run());
  }

  /** Compares whole commands of the faster stock setup with Weir's; empty if either was not run. */
  Optional<TimingComparison> wholeBestStockVersusWeir() {
    return series.bestStockVersusWeir(run -> run.notes().steps().run());
  }

  Optional<Double> wholeBestStockOverWeir() {
    return wholeBestStockVersusWeir().map(TimingComparison::ratio);
  }

  /**
   * Returns by which factor the cost of data falls: the time of the best stock setup beyond that of
   * the tasks without data, divided by the same of Weir. Empty if one of the times is missing, or
   * if Weir takes no longer than the tasks without data.
   */
  Optional<Double> dataCostRatio() {
    Double free = withoutData;
    if (free == null) {
      return Optional.empty();
    }
    return series
        .bestStock()
        .flatMap(
            best ->
                weir()
                    .filter(weir -> weir.mean() > free)
                    .map(weir -> (best.mean() - free) / (weir.mean() - free)));
  }

  /** Returns the duration of the upload of inputs to HDFS; empty if the setup was not run. */
  Optional<TimingStatistics> stageIn(Setup setup) {
    List<Sample> runs = series.of(setup);
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TimingStatistics(runs.stream().map(run -> run.notes().steps().provide()).toList()));
  }

  /** Returns the times of the runs with all of Weir; empty if there are none. */
  Optional<TimingStatistics> weir() {
    return Optional.ofNullable(series.bySetup().get(Setup.WEIR));
  }

  /** Returns a setup's time divided by Weir's; empty if either was not run. */
  Optional<Double> overWeir(Setup setup) {
    return Optional.ofNullable(series.bySetup().get(setup)).flatMap(this::overWeir);
  }

  /** Returns the faster stock setup's time divided by Weir's; empty if either was not run. */
  Optional<Double> bestStockOverWeir() {
    return series.bestStock().flatMap(this::overWeir);
  }

  /** Returns the faster stock setup's time divided by a setup's; empty if either was not run. */
  Optional<Double> bestStockOver(Setup setup) {
    TimingStatistics theirs = series.bySetup().get(setup);
    return theirs == null
        ? Optional.empty()
        : series.bestStock().map(best -> best.mean() / theirs.mean());
  }

  /** Returns the p-value of the difference to the best stock; empty if either was not run. */
  Optional<Double> pValue() {
    return series.bestStock().flatMap(best -> weir().map(weir -> weir.pValue(best)));
  }

  /**
   * Compares the faster stock setup with Weir, including the upload of inputs; empty if either was
   * not run.
   */
  Optional<TimingComparison> stagedBestStockVersusWeir() {
    return series.bestStockVersusWeir(run -> run.notes().steps().provide() + run.seconds());
  }

  Optional<Double> stagedBestStockOverWeir() {
    return stagedBestStockVersusWeir().map(TimingComparison::ratio);
  }

  /** Returns whether Weir is faster than the best stock with p < 0.05. */
  boolean isSignificantlyFaster() {
    return isSignificant() && bestStockOverWeir().orElse(1.0) > 1;
  }

  /** Returns whether Weir is slower than the best stock with p < 0.05. */
  boolean isSignificantlySlower() {
    return isSignificant() && bestStockOverWeir().orElse(1.0) < 1;
  }

  private boolean isSignificant() {
    return pValue().filter(p -> p < SIGNIFICANCE).isPresent();
  }

  private Optional<Double> overWeir(TimingStatistics others) {
    return weir().map(weir -> others.mean() / weir.mean());
  }

  /** Returns the geometric mean; NaN for none. */
  static double geometricMean(Collection<Double> ratios) {
    return StatUtils.geometricMean(ratios.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
