package dev.weir.bench.patterns;

import dev.weir.bench.series.Beside;
import dev.weir.bench.series.Figures;
import dev.weir.bench.series.Notes;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.Steps;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what came out as Markdown for people and as CSV for programs. */
final class Tables {
  private static final double MB = 1e6;

  private Tables() {}

  static String markdown(Outcome outcome) {
    StringBuilder text = new StringBuilder();
    Bound bound = outcome.bound();
    text.append(
        line(
            "%s: at least %.2f s (links %.2f s, commands without Hadoop %.2f s%s)",
            outcome.title(),
            bound.seconds(),
            bound.linkSeconds(),
            bound.localSeconds(),
            bound.overlap() ? ", at the same time" : ""));
    text.append("\n| setup | runs | s | ± | ÷ bound | p | ");
    text.append(outcome.staged() ? "whole, s | ± | " : "");
    text.append("read locally | over the network | storage | stages, s |\n");
    text.append("|---|---|---|---|---|---|");
    text.append(outcome.staged() ? "---|---|" : "").append("---|---|---|---|\n");
    outcome
        .series()
        .bySetup()
        .forEach((setup, figures) -> text.append(row(outcome, setup, figures)));
    outcome.series().bestStock().ifPresent(best -> text.append(comparison(outcome, best)));
    text.append('\n');
    text.append(Beside.describe(outcome.series().samples().stream().map(Beside::of).toList()));
    text.append('\n');
    return text.toString();
  }

  private static String row(Outcome outcome, Setup setup, Figures figures) {
    List<Sample> samples = outcome.series().of(setup);
    String stages =
        samples.get(0).stages().keySet().stream()
            .map(type -> format("%s %.2f", type, Sample.meanStage(samples, type)))
            .collect(Collectors.joining(", "));
    Figures weir = outcome.series().bySetup().get(Setup.WEIR);
    Figures whole =
        outcome.series().bySetup(sample -> sample.times().staged()).getOrDefault(setup, figures);
    return line(
        "| %s | %d | %.2f | %.2f | %.2f | %s | %s%.0f %% | %.1f MB | %.1f MB | %s |",
        setup.label(),
        samples.size(),
        figures.mean(),
        figures.deviation(),
        figures.mean() / outcome.bound().seconds(),
        weir == null || setup.equals(Setup.WEIR) ? "" : p(figures.pValue(weir)),
        outcome.staged() ? format("%.2f | %.2f | ", whole.mean(), whole.deviation()) : "",
        100 * Sample.meanLocalShare(samples),
        Sample.meanNetworkBytes(samples) / MB,
        Sample.meanPeakStorage(samples) / MB,
        stages);
  }

  private static String p(double value) {
    return Double.isNaN(value) ? "" : format("%.3f", value);
  }

  private static String comparison(Outcome outcome, Figures best) {
    Map<Setup, Figures> figures = outcome.series().bySetup();
    Figures weir = figures.get(Setup.WEIR);
    if (weir == null) {
      return "";
    }
    Figures three = figures.get(Setup.STOCK_R3);
    String certainty = p(weir.pValue(best));
    return line(
        "\nweir ÷ bound %.2f; best stock ÷ weir %.2f%s; stock r3 ÷ weir %s",
        weir.mean() / outcome.bound().seconds(),
        best.mean() / weir.mean(),
        certainty.isEmpty() ? "" : " (p = " + certainty + ")",
        three == null ? "-" : format("%.2f", three.mean() / weir.mean()));
  }

  static String csvHeader() {
    return "pattern,variant,size,scale,nodes,setup,repeat,seconds,staged_seconds,run_seconds,"
        + "local_share,network_bytes,peak_storage_bytes,bound_seconds,link_bound_seconds,"
        + "local_seconds,stages,session,begun,overhead_seconds,provide_seconds,rest_seconds,"
        + "submitted_seconds,settle_seconds,fetch_seconds,clean_seconds\n";
  }

  static String csv(Outcome outcome) {
    Experiment experiment = outcome.experiment();
    StringBuilder text = new StringBuilder();
    for (Sample sample : outcome.series().samples()) {
      text.append(
          format(
              "%s,%s,%s,%s,%d,",
              experiment.pattern().label(),
              experiment.variant().label(),
              experiment.size().label(),
              experiment.scale(),
              experiment.nodes()));
      text.append(csv(sample, outcome.bound()));
      text.append(around(sample.notes(), sample.overhead()));
    }
    return text.toString();
  }

  private static String csv(Sample sample, Bound bound) {
    return format(
        "%s,%d,%.3f,%.3f,%.3f,%.4f,%d,%d,%.3f,%.3f,%.3f,%s,",
        sample.setup().label(),
        sample.repeat(),
        sample.seconds(),
        sample.times().staged(),
        sample.times().whole(),
        sample.localShare(),
        sample.usage().networkBytes(),
        sample.usage().peakStorage(),
        bound.seconds(),
        bound.linkSeconds(),
        bound.localSeconds(),
        sample.stages().entrySet().stream()
            .map(e -> format("%s=%.3f", e.getKey(), e.getValue()))
            .collect(Collectors.joining(";")));
  }

  private static String around(Notes notes, double overhead) {
    Steps steps = notes.steps();
    return line(
        "%d,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f",
        notes.session(),
        notes.begun().truncatedTo(ChronoUnit.SECONDS),
        overhead,
        steps.provide(),
        steps.rest(),
        steps.run(),
        steps.settle(),
        steps.fetch(),
        steps.clean());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String line(String format, Object... values) {
    return format(format, values) + "\n";
  }
}
