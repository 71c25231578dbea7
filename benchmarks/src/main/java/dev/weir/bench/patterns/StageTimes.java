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
 * What the tasks of one type took, from the first one's dispatch until the last one's end.
 *
 * @param name the type
 * @param times of each setup that has such tasks
 * @param bestStock the stock setup whose stage is the fastest against Weir's; null where one of
 *     both was not run, or has no such tasks
 */
record StageTimes(
    String name, Map<Setup, TimingStatistics> times, @Nullable TimingComparison bestStock) {
  /** As tasks follow each other; others come first. */
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

  /** All stages that a series has, as they follow each other. */
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

  /** How the stock setup whose stage is the fastest compares with Weir; empty as above. */
  Optional<TimingComparison> versus() {
    return Optional.ofNullable(bestStock);
  }
}
