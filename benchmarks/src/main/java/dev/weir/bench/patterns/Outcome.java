package dev.weir.bench.patterns;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What came out of an experiment.
 *
 * @param title what it is called
 * @param samples of all setups
 * @param bound the time that no placement can beat
 * @param staged whether inputs came from a server outside, and results went to it
 */
record Outcome(
    Experiment experiment, String title, List<Sample> samples, Bound bound, boolean staged) {
  Outcome {
    samples = List.copyOf(samples);
  }

  /** The runs of a setup, in order. */
  List<Sample> of(Setup setup) {
    return samples.stream().filter(sample -> sample.setup().equals(setup)).toList();
  }

  /** The times of each setup that was run, without stage-in and stage-out. */
  Map<Setup, Figures> bySetup() {
    return bySetup(Sample::seconds);
  }

  /** Some times of each setup that was run, in the order in which the first ones ran. */
  Map<Setup, Figures> bySetup(ToDoubleFunction<Sample> time) {
    Map<Setup, Figures> figures = new LinkedHashMap<>();
    for (Sample sample : samples) {
      figures.computeIfAbsent(
          sample.setup(),
          setup -> new Figures(of(setup).stream().map(time::applyAsDouble).toList()));
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
