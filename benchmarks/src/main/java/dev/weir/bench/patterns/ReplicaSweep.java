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
 * How the runner's own number of replicas compares with the best of those that it was told.
 *
 * @param chosen the numbers that it chose, in ascending order; one, unless runs differ; none where
 *     that is not known
 * @param best the fastest of those that it was told
 * @param versus its own choice's times, as theirs, against those of the best
 */
record ReplicaSweep(List<Integer> chosen, Setup best, TimingComparison versus) {
  /** How much longer than the best point the own choice may take. */
  private static final double WITHIN = 1.05;

  /** Copies. */
  ReplicaSweep {
    chosen = List.copyOf(chosen);
  }

  /** Of an experiment by replicas; empty for others, and where either was not run. */
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

  /** Its mean divided by that of the best point. */
  double overBest() {
    return versus.ratio();
  }

  /** Whether it is as good as the best point, or nearly. */
  boolean isGood() {
    return overBest() <= WITHIN;
  }

  /** The numbers that it chose, for people. */
  String choice() {
    return chosen.isEmpty()
        ? "not known"
        : chosen.stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }

  /** All of it, a sentence. */
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
