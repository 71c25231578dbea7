package dev.weir.bench.patterns;

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
    text.append(
        line(
            "%s: at least %.2f s (links %.2f s, commands without Hadoop %.2f s)",
            outcome.experiment().label(),
            outcome.bound(),
            outcome.linkSeconds(),
            outcome.localSeconds()));
    text.append("\n| setup | s | ± | ÷ bound | read locally | over the network | stages, s |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    outcome.bySetup().forEach((setup, figures) -> text.append(row(outcome, setup, figures)));
    outcome.bestStock().ifPresent(best -> text.append(comparison(outcome, best)));
    return text.toString();
  }

  private static String row(Outcome outcome, Setup setup, Figures figures) {
    List<Sample> samples = outcome.of(setup);
    String stages =
        samples.get(0).stages().keySet().stream()
            .map(type -> String.format(Locale.ROOT, "%s %.2f", type, stage(samples, type)))
            .collect(Collectors.joining(", "));
    return line(
        "| %s | %.2f | %.2f | %.2f | %.0f %% | %.1f MB | %s |",
        setup.label(),
        figures.mean(),
        figures.deviation(),
        figures.mean() / outcome.bound(),
        100 * Sample.meanLocalShare(samples),
        Sample.meanNetworkBytes(samples) / MB,
        stages);
  }

  private static double stage(List<Sample> samples, String type) {
    return samples.stream()
        .mapToDouble(sample -> sample.stages().getOrDefault(type, 0.0))
        .average()
        .orElse(0);
  }

  private static String comparison(Outcome outcome, Figures best) {
    Map<Setup, Figures> figures = outcome.bySetup();
    Figures weir = figures.get(Setup.WEIR);
    if (weir == null) {
      return "";
    }
    Figures three = figures.get(Setup.STOCK_R3);
    return line(
        "\nweir ÷ bound %.2f; best stock ÷ weir %.2f (p = %.3f); stock r3 ÷ weir %s",
        weir.mean() / outcome.bound(),
        best.mean() / weir.mean(),
        weir.pValue(best),
        three == null ? "-" : String.format(Locale.ROOT, "%.2f", three.mean() / weir.mean()));
  }

  static String csvHeader() {
    return "pattern,waves,size,scale,setup,repeat,seconds,whole_seconds,local_share,network_bytes,"
        + "link_bound_seconds,local_seconds,stages\n";
  }

  static String csv(Outcome outcome) {
    Experiment experiment = outcome.experiment();
    StringBuilder text = new StringBuilder();
    for (Sample sample : outcome.samples()) {
      text.append(
          line(
              "%s,%s,%s,%s,%s,%d,%.3f,%.3f,%.4f,%d,%.3f,%.3f,%s",
              experiment.pattern().label(),
              experiment.waves(),
              experiment.size().label(),
              experiment.scale(),
              sample.setup().label(),
              sample.repeat(),
              sample.seconds(),
              sample.wholeSeconds(),
              sample.localShare(),
              sample.networkBytes(),
              outcome.linkSeconds(),
              outcome.localSeconds(),
              sample.stages().entrySet().stream()
                  .map(e -> String.format(Locale.ROOT, "%s=%.3f", e.getKey(), e.getValue()))
                  .collect(Collectors.joining(";"))));
    }
    return text.toString();
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values) + "\n";
  }
}
