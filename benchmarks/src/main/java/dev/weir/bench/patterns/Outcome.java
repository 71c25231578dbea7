package dev.weir.bench.patterns;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came out of an experiment.
 *
 * @param samples of all setups
 * @param linkSeconds how long the most loaded link is busy at least
 * @param localSeconds what the machine takes for the same commands without Hadoop
 */
record Outcome(
    Experiment experiment, List<Sample> samples, double linkSeconds, double localSeconds) {
  Outcome {
    samples = List.copyOf(samples);
  }

  /** The time that no placement can beat, in seconds. */
  double bound() {
    return linkSeconds + localSeconds;
  }

  /** The runs of a setup, in order. */
  List<Sample> of(Setup setup) {
    return samples.stream().filter(sample -> sample.setup() == setup).toList();
  }

  /** The times of each setup that was run. */
  Map<Setup, Figures> bySetup() {
    Map<Setup, Figures> figures = new EnumMap<>(Setup.class);
    for (Setup setup : Setup.values()) {
      List<Double> seconds = of(setup).stream().map(Sample::seconds).toList();
      if (!seconds.isEmpty()) {
        figures.put(setup, new Figures(seconds));
      }
    }
    return figures;
  }

  /** The fastest of those with stock's dispatch; empty when none was run. */
  Optional<Figures> bestStock() {
    return bySetup().entrySet().stream()
        .filter(entry -> entry.getKey().isStock())
        .map(Map.Entry::getValue)
        .min((a, b) -> Double.compare(a.mean(), b.mean()));
  }
}
