package dev.weir.bench.series;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs of one workflow, some in each setup.
 *
 * @param samples of all setups, in the order in which they were taken
 */
public record Series(List<Sample> samples) {
  /** Copies. */
  public Series {
    samples = List.copyOf(samples);
  }

  /** The runs of a setup, in order. */
  public List<Sample> of(Setup setup) {
    return samples.stream().filter(sample -> sample.setup() == setup).toList();
  }

  /** The times of each setup that was run. */
  public Map<Setup, Figures> bySetup() {
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
  public Optional<Figures> bestStock() {
    return bySetup().entrySet().stream()
        .filter(entry -> entry.getKey().isStock())
        .map(Map.Entry::getValue)
        .min((a, b) -> Double.compare(a.mean(), b.mean()));
  }
}
