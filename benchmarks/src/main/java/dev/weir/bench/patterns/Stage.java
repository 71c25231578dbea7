package dev.weir.bench.patterns;

import dev.weir.bench.series.Figures;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Series;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.Versus;
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
record Stage(String name, Map<Setup, Figures> times, @Nullable Versus bestStock) {
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
  static List<Stage> of(Series series) {
    TreeSet<String> names = new TreeSet<>();
    series.samples().forEach(sample -> names.addAll(sample.stages().keySet()));
    return names.stream()
        .sorted(Comparator.comparingInt(ORDER::indexOf))
        .map(name -> of(name, series.having(name)))
        .toList();
  }

  private static Stage of(String name, Series having) {
    ToDoubleFunction<Sample> time = sample -> sample.stage(name);
    return new Stage(name, having.bySetup(time), having.bestStockVersusWeir(time).orElse(null));
  }

  /** How the stock setup whose stage is the fastest compares with Weir; empty as above. */
  Optional<Versus> versus() {
    return Optional.ofNullable(bestStock);
  }
}
