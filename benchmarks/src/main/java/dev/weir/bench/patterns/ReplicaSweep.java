package dev.weir.bench.patterns;

import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares the runner's own number of replicas with the best given number.
 *
 * @param chosen the numbers that it chose, in ascending order; one unless runs differ; none if not
 *     known
 * @param best the fastest given number
 * @param versus the times of the own choice against those of the best number
 */
record ReplicaSweep(List<Integer> chosen, Setup best, TimingComparison versus) {
  /** The greatest accepted ratio of the own choice to the best number. */
  private static final double WITHIN = 1.05;

  /** Copies the list. */
  ReplicaSweep {
    chosen = List.copyOf(chosen);
  }

  /**
   * Returns the comparison of an experiment by replicas; empty for other experiments, and if either
   * was not run.
   */
  static Optional<ReplicaSweep> of(SeriesSamples series) {
    Map<Setup, TimingStatistics> all = series.bySetup();
    TimingStatistics own = all.get(Setup.WEIR);
    Optional<Map.Entry<Setup, TimingStatistics>> best =
        all.entrySet().stream()
            .filter(entry -> entry.getKey().copies() > 0)
            .min((a, b) -> Double.compare(a.getValue().mean(), b.getValue().mean()));
    return own == null
        ? Optional.empty()
        : best.map(
            entry ->
                new ReplicaSweep(
                    chosen(series), entry.getKey(), new TimingComparison(own, entry.getValue())));
  }

  private static List<Integer> chosen(SeriesSamples series) {
    return series.of(Setup.WEIR).stream()
        .map(sample -> sample.notes().replicas())
        .filter(replicas -> replicas > 0)
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the mean of the own choice divided by that of the best number. */
  double overBest() {
    return versus.ratio();
  }

  /** Returns whether the own choice is about as good as the best number. */
  boolean isGood() {
    return overBest() <= WITHIN;
  }

  /** Returns the chosen numbers for display. */
  String choice() {
    return chosen.isEmpty()
        ? "not known"
        : chosen.stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }

  /** Returns the comparison as a sentence. */
  String text() {
    return String.format(
        Locale.ROOT,
        "The runner's own number of replicas (%s): %.2f s; the best number (%d): %.2f s;"
            + " own ÷ best %s, %swithin 5 %%.",
        choice(),
        versus.theirs().mean(),
        best.copies(),
        versus.ours().mean(),
        versus.text(),
        isGood() ? "" : "not ");
  }
}
