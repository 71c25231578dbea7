package dev.weir.bench.patterns;

import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The durations of the tasks of one type, from the first dispatch until the last end.
 *
 * @param name the type
 * @param times of each setup that has such tasks
 * @param bestStock the stock setup with the fastest stage against Weir's; null if either was not
 *     run or has no such tasks
 */
record StageTimes(
    String name, Map<Setup, TimingStatistics> times, @Nullable TimingComparison bestStock) {
  /** The order of stages; types not listed come first. */
  private static final List<String> ORDER =
      List.of(
          PatternWorkflow.STAGE_IN,
          "first",
          "second",
          "third",
          "produce",
          "consume",
          "reduce",
          "join",
          "read",
          PatternWorkflow.STAGE_OUT);

  /** Returns all stages of a series, in order. */
  static List<StageTimes> of(SeriesSamples series) {
    TreeSet<String> names = new TreeSet<>();
    series.samples().forEach(sample -> names.addAll(sample.stages().keySet()));
    return names.stream()
        .sorted(Comparator.comparingInt(ORDER::indexOf))
        .map(name -> of(name, series.having(name)))
        .toList();
  }

  private static StageTimes of(String name, SeriesSamples having) {
    ToDoubleFunction<Sample> time = sample -> sample.stage(name);
    return new StageTimes(
        name, having.bySetup(time), having.bestStockVersusWeir(time).orElse(null));
  }

  /** Returns the fastest stock setup of the stage against Weir; empty if either is missing. */
  Optional<TimingComparison> versus() {
    return Optional.ofNullable(bestStock);
  }
}
