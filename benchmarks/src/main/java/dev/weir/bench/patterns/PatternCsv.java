package dev.weir.bench.patterns;

import dev.weir.bench.report.Sample;
import java.util.List;
import java.util.Locale;

/** Writes the results as CSV, one line per repetition. */
final class PatternCsv {
  private PatternCsv() {}

  /**
   * Returns the first lines.
   *
   * @param command repeats the series
   * @param commits of its sessions
   */
  static String header(String command, List<String> commits) {
    String wrapped = command.replaceAll("(.{80,100}) (?=--)", "$1 \\\\\n#     ");
    return format("# %s  # %s\n", wrapped, String.join(", ", commits))
        + "pattern,variant,size,scale,nodes,setup,repeat,seconds,staged_seconds,run_seconds,"
        + "local_share,network_bytes,peak_storage_bytes,bound_seconds,link_bound_seconds,"
        + "local_seconds,stages,session,begun,overhead_seconds,provide_seconds,rest_seconds,"
        + "submitted_seconds,settle_seconds,fetch_seconds,clean_seconds,run\n";
  }

  static String lines(PatternOutcome outcome) {
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
      text.append(times(sample, outcome.bound()));
      text.append(format("%s,%d\n", sample.csvOfSteps(), sample.run()));
    }
    return text.toString();
  }

  private static String times(Sample sample, LowerBound bound) {
    return format(
        "%s,%d,%.3f,%.3f,%.3f,%.4f,%d,%d,%.3f,%.3f,%.3f,",
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
        bound.localSeconds());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
