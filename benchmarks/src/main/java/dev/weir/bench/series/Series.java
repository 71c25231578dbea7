package dev.weir.bench.series;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Runs of one workflow, some in each setup.
 *
 * @param samples of all setups
 */
public record Series(List<Sample> samples) {
  /** Copies. */
  public Series {
    samples = List.copyOf(samples);
  }

  /**
   * Of runs that are kept, setup by setup in the order of tables, and then by repetition.
   *
   * @param staging types of the tasks that stage data in or out
   */
  public static Series of(Collection<KeptRun> runs, Set<String> staging) {
    return new Series(
        runs.stream()
            .flatMap(run -> Sample.all(run, staging).stream())
            .sorted(
                Comparator.comparing(Sample::setup, Setup.ORDER).thenComparingInt(Sample::repeat))
            .toList());
  }

  /** The runs of a setup, in order. */
  public List<Sample> of(Setup setup) {
    return samples.stream().filter(sample -> sample.setup().equals(setup)).toList();
  }

  /** The times of each setup that was run, without staging. */
  public Map<Setup, Figures> bySetup() {
    return bySetup(Sample::seconds);
  }

  /** Some times of each setup that was run, in the order of the samples. */
  public Map<Setup, Figures> bySetup(ToDoubleFunction<Sample> time) {
    Map<Setup, Figures> figures = new LinkedHashMap<>();
    for (Sample sample : samples) {
      figures.computeIfAbsent(
          sample.setup(),
          setup -> new Figures(of(setup).stream().map(time::applyAsDouble).toList()));
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
