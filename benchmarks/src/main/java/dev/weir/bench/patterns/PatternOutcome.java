package dev.weir.bench.patterns;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The results of an experiment.
 *
 * @param series the runs of all setups
 * @param bound the lower bound of the time
 * @param staged whether inputs came from an outside server, and results went to it
 * @param failures the failures, by the labels of setups
 */
record PatternOutcome(
    Experiment experiment,
    SeriesSamples series,
    LowerBound bound,
    boolean staged,
    Map<String, FailureCounts> failures) {
  PatternOutcome {
    failures = Map.copyOf(failures);
  }

  static double staged(Sample sample) {
    return sample.times().staged();
  }

  /** Returns whether a run has several repetitions. */
  boolean inARow() {
    return series.bySetup().values().stream().anyMatch(TimingStatistics::inARow);
  }

  /** Returns a sentence with the runs of each setup; empty if all have the same number. */
  Optional<String> uneven() {
    Map<Setup, Integer> runs = new LinkedHashMap<>();
    series.bySetup().forEach((setup, figures) -> runs.put(setup, figures.means().size()));
    return runs.values().stream().distinct().count() < 2
        ? Optional.empty()
        : Optional.of(
            runs.entrySet().stream()
                .map(one -> one.getKey().label() + " " + one.getValue())
                .collect(
                    Collectors.joining(", ", "The setups have different numbers of runs: ", ".")));
  }
}
