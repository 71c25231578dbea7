package dev.weir.bench.report;

import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.Setup;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The samples of one workflow in several setups. */
public record SeriesSamples(List<Sample> samples) {
  public SeriesSamples {
    samples = List.copyOf(samples);
  }

  /**
   * Returns the samples of recorded runs, by setup in the order of tables, then by repetition.
   *
   * @param staging types of the tasks that stage data in or out
   */
  public static SeriesSamples of(Collection<RecordedRun> runs, Set<String> staging) {
    return new SeriesSamples(
        runs.stream()
            .flatMap(run -> Sample.all(run, staging).stream())
            .sorted(
                Comparator.comparing(Sample::setup, Setup.ORDER).thenComparingInt(Sample::repeat))
            .toList());
  }

  /** Returns the samples of a setup, in order. */
  public List<Sample> of(Setup setup) {
    return samples.stream().filter(sample -> sample.setup().equals(setup)).toList();
  }

  /** Returns the times of each setup, without staging. */
  public Map<Setup, TimingStatistics> bySetup() {
    return bySetup(Sample::seconds);
  }

  /** Returns times of each setup, in the order of the samples. */
  public Map<Setup, TimingStatistics> bySetup(ToDoubleFunction<Sample> time) {
    Map<Setup, TimingStatistics> figures = new LinkedHashMap<>();
    for (Sample sample : samples) {
      figures.computeIfAbsent(sample.setup(), setup -> figures(of(setup), time));
    }
    return figures;
  }

  private static TimingStatistics figures(List<Sample> samples, ToDoubleFunction<Sample> time) {
    return new TimingStatistics(
        samples.stream().map(time::applyAsDouble).toList(),
        samples.stream().map(Sample::run).toList());
  }

  /** Returns the overhead of each run of a setup, in order. */
  public List<RunOverhead> overheads(Setup setup) {
    return of(setup).stream()
        .collect(Collectors.groupingBy(Sample::run, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(RunOverhead::ofRun)
        .toList();
  }

  /** Compares the best stock setup with Weir by a given time; empty if either was not run. */
  public Optional<TimingComparison> bestStockVersusWeir(ToDoubleFunction<Sample> time) {
    return bestStockVersus(Setup.WEIR, time);
  }

  /** Compares the best stock setup with another by a given time; empty if either was not run. */
  public Optional<TimingComparison> bestStockVersus(Setup setup, ToDoubleFunction<Sample> time) {
    Map<Setup, TimingStatistics> times = bySetup(time);
    return times.entrySet().stream()
        .filter(entry -> entry.getKey().isStock())
        .map(Map.Entry::getValue)
        .min(Comparator.comparingDouble(TimingStatistics::mean))
        .flatMap(best -> versus(best, times.get(setup)));
  }

  /** Compares a setup with Weir by a given time; empty if either was not run. */
  public Optional<TimingComparison> versusWeir(Setup setup, ToDoubleFunction<Sample> time) {
    Map<Setup, TimingStatistics> times = bySetup(time);
    return versus(times.get(setup), times.get(Setup.WEIR));
  }

  private static Optional<TimingComparison> versus(
      @Nullable TimingStatistics theirs, @Nullable TimingStatistics ours) {
    return theirs == null || ours == null
        ? Optional.empty()
        : Optional.of(new TimingComparison(theirs, ours));
  }

  /** Returns the setups of several workflows, in the order of tables. */
  public static List<Setup> setups(Stream<SeriesSamples> workflows) {
    return workflows
        .flatMap(series -> series.bySetup().keySet().stream())
        .distinct()
        .sorted(Setup.ORDER)
        .toList();
  }
}
