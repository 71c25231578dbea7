package dev.weir.bench.blast;

import dev.weir.bench.series.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Writes runs as Markdown, laid out as in the study, and as CSV. */
final class BlastTable {
  private static final double MB = 1e6;

  private BlastTable() {}

  /** The parts of a run, in the order of the rows. */
  static Map<String, ToDoubleFunction<BlastSample>> parts() {
    Map<String, ToDoubleFunction<BlastSample>> parts = new LinkedHashMap<>();
    parts.put("stage-in", BlastSample::stageIn);
    parts.put("90 % of the workflow", BlastSample::most);
    parts.put("100 % of the workflow", BlastSample::all);
    parts.put("stage-out", BlastSample::stageOut);
    parts.put("all together", BlastSample::whole);
    return parts;
  }

  /** The times of a part. */
  static Figures figures(List<BlastSample> samples, ToDoubleFunction<BlastSample> part) {
    return new Figures(samples.stream().map(part::applyAsDouble).toList());
  }

  /**
   * As Markdown.
   *
   * @param samples by how many replicas the database had, in the order of the columns
   * @param about where and how it was measured
   */
  static String markdown(Map<String, List<BlastSample>> samples, String about) {
    StringBuilder text = new StringBuilder(about).append("\n\n| seconds |");
    samples.keySet().forEach(label -> text.append(' ').append(label).append(" |"));
    text.append("\n|---|").append("---|".repeat(samples.size())).append('\n');
    parts()
        .forEach(
            (name, part) -> {
              text.append("| ").append(name).append(" |");
              for (List<BlastSample> runs : samples.values()) {
                Figures figures = figures(runs, part);
                text.append(format(" %.2f ± %.2f |", figures.mean(), figures.deviation()));
              }
              text.append('\n');
            });
    text.append("| runs |");
    samples.values().forEach(runs -> text.append(format(" %d |", runs.size())));
    text.append("\n| read locally |");
    samples.values().forEach(runs -> text.append(format(" %.0f %% |", 100 * localShare(runs))));
    text.append("\n| over the network |");
    samples.values().forEach(runs -> text.append(format(" %.0f MB |", networkBytes(runs) / MB)));
    text.append("\n| in HDFS at most |");
    samples.values().forEach(runs -> text.append(format(" %.0f MB |", peakStorage(runs) / MB)));
    return text.append('\n').toString();
  }

  static double localShare(List<BlastSample> runs) {
    return runs.stream().mapToDouble(BlastSample::localShare).average().orElse(0);
  }

  static double networkBytes(List<BlastSample> runs) {
    return runs.stream().mapToLong(run -> run.usage().networkBytes()).average().orElse(0);
  }

  static double peakStorage(List<BlastSample> runs) {
    return runs.stream().mapToLong(run -> run.usage().peakStorage()).average().orElse(0);
  }

  /** As CSV, with a header. */
  static String csv(Map<String, List<BlastSample>> samples) {
    StringBuilder text =
        new StringBuilder(
            "replicas,repeat,stage_in,workflow_90,workflow_100,stage_out,local_share,network_bytes,"
                + "peak_storage_bytes\n");
    for (List<BlastSample> runs : samples.values()) {
      for (BlastSample run : runs) {
        text.append(
            format(
                "%s,%d,%.3f,%.3f,%.3f,%.3f,%.4f,%d,%d%n",
                run.replicas(),
                run.repeat(),
                run.stageIn(),
                run.most(),
                run.all(),
                run.stageOut(),
                run.localShare(),
                run.usage().networkBytes(),
                run.usage().peakStorage()));
      }
    }
    return text.toString();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
