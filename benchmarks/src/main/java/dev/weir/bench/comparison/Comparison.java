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

/**
 * What came out for a subject.
 *
 * @param name of the subject
 * @param about what it is and what was scaled
 * @param series its runs
 * @param mishaps what went otherwise than planned, by the labels of setups
 */
record Comparison(
    String name, String about, SeriesSamples series, Map<String, FailureCounts> mishaps) {
  private static final double SURE = 0.05;

  /** Copies. */
  Comparison {
    mishaps = Map.copyOf(mishaps);
  }

  /** Of runs in which all went as planned. */
  Comparison(String name, String about, SeriesSamples series) {
    this(name, about, series, Map.of());
  }

  /** How long it takes to bring the inputs into HDFS; empty when the setup was not run. */
  Optional<TimingStatistics> stageIn(Setup setup) {
    List<Sample> runs = series.of(setup);
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TimingStatistics(runs.stream().map(run -> run.notes().steps().provide()).toList()));
  }

  /** The times of the runs with everything on; empty when there is none. */
  Optional<TimingStatistics> weir() {
    return Optional.ofNullable(series.bySetup().get(Setup.WEIR));
  }

  /** How many times as long a setup takes as Weir; empty when one of both was not run. */
  Optional<Double> overWeir(Setup setup) {
    return Optional.ofNullable(series.bySetup().get(setup)).flatMap(this::overWeir);
  }

  /** How many times as long the faster of the stock setups takes; empty as above. */
  Optional<Double> bestStockOverWeir() {
    return series.bestStock().flatMap(this::overWeir);
  }

  /** How probable the difference to the best stock is when there is none; empty as above. */
  Optional<Double> pValue() {
    return series.bestStock().flatMap(best -> weir().map(weir -> weir.pValue(best)));
  }

  /**
   * The faster of the stock setups against Weir when bringing the inputs into HDFS counts; empty as
   * above.
   */
  Optional<TimingComparison> stagedBestStockVersusWeir() {
    return series.bestStockVersusWeir(run -> run.notes().steps().provide() + run.seconds());
  }

  /** The same, how many times as long it takes. */
  Optional<Double> stagedBestStockOverWeir() {
    return stagedBestStockVersusWeir().map(TimingComparison::ratio);
  }

  /** Whether it is certain, with p < 0.05, that it is faster than the best stock. */
  boolean isSurelyFaster() {
    return isSure() && bestStockOverWeir().orElse(1.0) > 1;
  }

  /** Whether it is certain, with p < 0.05, that it is slower than the best stock. */
  boolean isSurelySlower() {
    return isSure() && bestStockOverWeir().orElse(1.0) < 1;
  }

  private boolean isSure() {
    return pValue().filter(p -> p < SURE).isPresent();
  }

  private Optional<Double> overWeir(TimingStatistics others) {
    return weir().map(weir -> others.mean() / weir.mean());
  }

  /** The geometric mean; NaN for none. */
  static double geometricMean(Collection<Double> ratios) {
    return StatUtils.geometricMean(ratios.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
