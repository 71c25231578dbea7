package dev.weir.bench.patterns;

import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.RunOverheadTable;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Writes the results as Markdown. */
final class PatternTables {
  private static final double MB = 1e6;

  private PatternTables() {}

  static String markdown(PatternOutcome outcome) {
    StringBuilder text = new StringBuilder();
    LowerBound bound = outcome.bound();
    text.append(
        line(
            "%s: at least %.2f s (links %.2f s, commands without Hadoop %.2f s%s)",
            outcome.experiment().label(),
            bound.seconds(),
            bound.linkSeconds(),
            bound.localSeconds(),
            bound.overlap() ? ", at the same time" : ""));
    MarkdownTable table = new MarkdownTable(names(outcome));
    outcome.series().bySetup().keySet().forEach(setup -> table.row(cells(outcome, setup)));
    text.append('\n').append(table);
    text.append('\n').append(comparisons(outcome)).append('\n');
    text.append(RunOverheadTable.of(overheads(outcome.series()), outcome.failures()));
    return text.toString();
  }

  /** Returns one table with a row per experiment: the times of its setups and their comparison. */
  static String summary(List<PatternOutcome> outcomes) {
    List<Setup> setups = SeriesSamples.setups(outcomes.stream().map(PatternOutcome::series));
    boolean staged = outcomes.stream().anyMatch(PatternOutcome::staged);
    List<String> names = new ArrayList<>(List.of("seconds", "runs"));
    setups.forEach(setup -> names.add(setup.label()));
    names.add("best stock ÷ weir");
    if (staged) {
      names.add("with staging");
    }
    names.add("weir ÷ bound");
    MarkdownTable table = new MarkdownTable(names);
    for (PatternOutcome outcome : outcomes) {
      Map<Setup, TimingStatistics> times = outcome.series().bySetup();
      List<String> cells =
          new ArrayList<>(List.of(outcome.experiment().label(), runs(times.values())));
      setups.forEach(setup -> cells.add(TimingStatistics.text(times.get(setup))));
      cells.add(bestStock(outcome, Sample::seconds));
      if (staged) {
        cells.add(bestStock(outcome, PatternOutcome::staged));
      }
      TimingStatistics weir = times.get(Setup.WEIR);
      cells.add(
          weir == null
              ? MarkdownTable.NONE
              : format("%.2f", weir.mean() / outcome.bound().seconds()));
      table.row(cells);
    }
    return table.toString();
  }

  private static String runs(Collection<TimingStatistics> setups) {
    return setups.stream()
        .map(figures -> figures.means().size())
        .distinct()
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(" or "));
  }

  private static String bestStock(PatternOutcome outcome, ToDoubleFunction<Sample> time) {
    return outcome
        .series()
        .bestStockVersusWeir(time)
        .map(TimingComparison::text)
        .orElse(MarkdownTable.NONE);
  }

  private static List<String> names(PatternOutcome outcome) {
    List<String> names = new ArrayList<>(List.of("setup", "runs", "repetitions", "s", "±"));
    if (outcome.inARow()) {
      names.add("± within a run");
    }
    names.addAll(List.of("÷ bound", "p"));
    if (outcome.staged()) {
      names.addAll(List.of("with staging, s", "±", "p"));
    }
    names.addAll(List.of("until idle, s", "read locally", "over the network", "storage"));
    names.addAll(List.of("whole command, s", "±", "p"));
    return names;
  }

  private static List<String> cells(PatternOutcome outcome, Setup setup) {
    SeriesSamples series = outcome.series();
    List<Sample> samples = series.of(setup);
    TimingStatistics figures = figures(series, setup, Sample::seconds);
    List<String> cells = new ArrayList<>(List.of(setup.label()));
    cells.add(Integer.toString(figures.means().size()));
    cells.add(Integer.toString(samples.size()));
    cells.add(format("%.2f", figures.mean()));
    cells.add(deviation(figures));
    if (outcome.inARow()) {
      cells.add(figures.inARow() ? format("%.2f", figures.deviationWithin()) : MarkdownTable.NONE);
    }
    cells.add(format("%.2f", figures.mean() / outcome.bound().seconds()));
    cells.add(p(series, setup, Sample::seconds));
    if (outcome.staged()) {
      TimingStatistics staged = figures(series, setup, PatternOutcome::staged);
      cells.add(format("%.2f", staged.mean()));
      cells.add(deviation(staged));
      cells.add(p(series, setup, PatternOutcome::staged));
    }
    cells.add(format("%.1f", RunOverhead.medianSettle(series.overheads(setup))));
    cells.add(format("%.0f %%", 100 * Sample.meanLocalShare(samples)));
    cells.add(format("%.1f MB", Sample.meanNetworkBytes(samples) / MB));
    cells.add(format("%.1f MB", Sample.meanPeakStorage(samples) / MB));
    TimingStatistics whole = figures(series, setup, Sample::command);
    cells.add(format("%.2f", whole.mean()));
    cells.add(deviation(whole));
    cells.add(p(series, setup, Sample::command));
    return cells;
  }

  private static TimingStatistics figures(
      SeriesSamples series, Setup setup, ToDoubleFunction<Sample> time) {
    return series.bySetup(time).getOrDefault(setup, new TimingStatistics(List.of()));
  }

  private static String deviation(TimingStatistics figures) {
    return figures.means().size() < 2 ? MarkdownTable.NONE : format("%.2f", figures.deviation());
  }

  /** Returns p against Weir; empty for Weir itself, and if it was not run. */
  private static String p(SeriesSamples series, Setup setup, ToDoubleFunction<Sample> time) {
    return setup.equals(Setup.WEIR)
        ? ""
        : series.versusWeir(setup, time).map(versus -> TimingStatistics.p(versus.p())).orElse("");
  }

  private static String comparisons(PatternOutcome outcome) {
    SeriesSamples series = outcome.series();
    StringBuilder text = new StringBuilder();
    series
        .bestStockVersusWeir(Sample::seconds)
        .ifPresent(
            best ->
                text.append(
                    line(
                        "weir ÷ bound %.2f; best stock ÷ weir %s; stock r3 ÷ weir %s",
                        best.ours().mean() / outcome.bound().seconds(),
                        best.text(),
                        stockR3(series, Sample::seconds))));
    if (outcome.staged()) {
      series
          .bestStockVersusWeir(PatternOutcome::staged)
          .ifPresent(
              best ->
                  text.append(
                      line(
                          "\nWith staging: best stock ÷ weir %s; stock r3 ÷ weir %s",
                          best.text(), stockR3(series, PatternOutcome::staged))));
    }
    series
        .bestStockVersusWeir(Sample::command)
        .ifPresent(best -> text.append(line("\nWhole command: best stock ÷ weir %s", best.text())));
    outcome.uneven().ifPresent(sentence -> text.append(line("\n%s", sentence)));
    return text.toString();
  }

  private static String stockR3(SeriesSamples series, ToDoubleFunction<Sample> time) {
    return series
        .versusWeir(Setup.STOCK_R3, time)
        .map(TimingComparison::text)
        .orElse(MarkdownTable.NONE);
  }

  private static Map<String, List<RunOverhead>> overheads(SeriesSamples series) {
    Map<String, List<RunOverhead>> overheads = new LinkedHashMap<>();
    series.bySetup().keySet().forEach(one -> overheads.put(one.label(), series.overheads(one)));
    return overheads;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String line(String format, Object... values) {
    return format(format, values) + "\n";
  }
}
