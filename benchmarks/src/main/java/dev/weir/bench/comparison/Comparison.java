package dev.weir.bench.comparison;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import java.util.Map;
import java.util.Optional;
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
  Comparison {
    failures = Map.copyOf(failures);
  }

  /** Compares the fastest stock setup with Weir; empty if either was not run. */
  Optional<TimingComparison> bestStock() {
    return series.bestStockVersusWeir(Sample::seconds);
  }

  /**
   * Returns by which factor the cost of data falls: the time of the best stock setup beyond that of
   * the tasks without data, divided by the same of Weir. Empty if one of the times is missing, or
   * if Weir takes no longer than the tasks without data.
   */
  Optional<Double> dataCostRatio() {
    Double free = withoutData;
    return free == null
        ? Optional.empty()
        : bestStock()
            .filter(best -> best.ours().mean() > free)
            .map(best -> (best.theirs().mean() - free) / (best.ours().mean() - free));
  }
}
