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
 * What came out of an experiment.
 *
 * @param title what it is called
 * @param series the runs of all setups
 * @param bound the time that no placement can beat
 * @param staged whether inputs came from a server outside, and results went to it
 * @param mishaps what went otherwise than planned, by the labels of setups
 */
record PatternOutcome(
    Experiment experiment,
    String title,
    SeriesSamples series,
    LowerBound bound,
    boolean staged,
    Map<String, FailureCounts> mishaps) {
  /** Copies. */
  PatternOutcome {
    mishaps = Map.copyOf(mishaps);
  }

  /** The same time with staging. */
  static double staged(Sample sample) {
    return sample.times().staged();
  }

  /** Whether a run has several repetitions. */
  boolean inARow() {
    return series.bySetup().values().stream().anyMatch(TimingStatistics::inARow);
  }

  /** How many runs each setup has, a sentence; empty where all have as many. */
  Optional<String> uneven() {
    Map<Setup, Integer> runs = new LinkedHashMap<>();
    series.bySetup().forEach((setup, figures) -> runs.put(setup, figures.means().size()));
    return runs.values().stream().distinct().count() < 2
        ? Optional.empty()
        : Optional.of(
            runs.entrySet().stream()
                .map(one -> one.getKey().label() + " " + one.getValue())
                .collect(Collectors.joining(", ", "Not all have as many runs: ", ".")));
  }
}
