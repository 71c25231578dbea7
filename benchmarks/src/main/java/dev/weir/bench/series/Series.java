package dev.weir.bench.series;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

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
      figures.computeIfAbsent(sample.setup(), setup -> figures(of(setup), time));
    }
    return figures;
  }

  private static Figures figures(List<Sample> samples, ToDoubleFunction<Sample> time) {
    return new Figures(
        samples.stream().map(time::applyAsDouble).toList(),
        samples.stream().map(Sample::run).toList());
  }

  /** Those repetitions that have a stage. */
  public Series having(String stage) {
    return new Series(samples.stream().filter(one -> one.stages().containsKey(stage)).toList());
  }

  /** What each run of a setup took beside its tasks, in order. */
  public List<Beside> beside(Setup setup) {
    return of(setup).stream()
        .collect(Collectors.groupingBy(Sample::run, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(Beside::ofRun)
        .toList();
  }

  /** The fastest of those with stock's dispatch; empty when none was run. */
  public Optional<Figures> bestStock() {
    return bestStock(Sample::seconds);
  }

  /** The same by some time. */
  public Optional<Figures> bestStock(ToDoubleFunction<Sample> time) {
    return bySetup(time).entrySet().stream()
        .filter(entry -> entry.getKey().isStock())
        .map(Map.Entry::getValue)
        .min((a, b) -> Double.compare(a.mean(), b.mean()));
  }

  /** The best stock by some time against the same of Weir; empty where one of both was not run. */
  public Optional<Versus> bestStockVersusWeir(ToDoubleFunction<Sample> time) {
    return bestStock(time).flatMap(best -> versusWeir(best, time));
  }

  /** A setup's time against the same of Weir; empty where one of both was not run. */
  public Optional<Versus> versusWeir(Setup setup, ToDoubleFunction<Sample> time) {
    return Optional.ofNullable(bySetup(time).get(setup))
        .flatMap(theirs -> versusWeir(theirs, time));
  }

  private Optional<Versus> versusWeir(Figures theirs, ToDoubleFunction<Sample> time) {
    return Optional.ofNullable(bySetup(time).get(Setup.WEIR)).map(ours -> new Versus(theirs, ours));
  }
}
