package dev.weir.bench.blast;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.RunOverheadTable;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunSteps;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Writes runs as Markdown, laid out as in the study, and as CSV. */
final class BlastTable {
  /** The part of a run until the last task has ended. */
  static final String WORKFLOW = "100 % of the workflow";

  /** The part of a run from stage-in to stage-out. */
  static final String WHOLE = "all together";

  /** The parts that are compared. */
  static final List<String> COMPARED = List.of(WORKFLOW, WHOLE);

  private static final double MB = 1e6;

  private BlastTable() {}

  /** Returns the parts of a run, in the order of the rows. */
  static Map<String, ToDoubleFunction<BlastSample>> parts() {
    Map<String, ToDoubleFunction<BlastSample>> parts = new LinkedHashMap<>();
    parts.put("stage-in", BlastSample::stageIn);
    parts.put("90 % of the workflow", BlastSample::ninetyPercent);
    parts.put(WORKFLOW, BlastSample::all);
    parts.put("stage-out", BlastSample::stageOut);
    parts.put(WHOLE, BlastSample::whole);
    return parts;
  }

  /** Returns the times of a part. */
  static TimingStatistics figures(List<BlastSample> samples, ToDoubleFunction<BlastSample> part) {
    return new TimingStatistics(samples.stream().map(part::applyAsDouble).toList());
  }

  /**
   * Returns the table as Markdown.
   *
   * @param samples by the replicas of the database, in the order of the columns
   * @param failures by the replicas of the database
   * @param about the conditions of the measurement
   */
  static String markdown(
      Map<String, List<BlastSample>> samples, Map<String, FailureCounts> failures, String about) {
    StringBuilder text = new StringBuilder(about).append("\n\n| seconds |");
    samples.keySet().forEach(label -> text.append(' ').append(label).append(" |"));
    text.append("\n|---|").append("---|".repeat(samples.size())).append('\n');
    parts()
        .forEach(
            (name, part) -> text.append(row(name, samples, runs -> time(figures(runs, part)))));
    COMPARED.forEach(part -> text.append(comparison(samples, part)));
    text.append(row("replicas", samples, BlastTable::replicas));
    text.append(row("runs", samples, runs -> format("%d", runs.size())));
    text.append(row("read locally", samples, runs -> format("%.0f %%", 100 * localShare(runs))));
    text.append(
        row("over the network", samples, runs -> format("%.0f MB", networkBytes(runs) / MB)));
    text.append(row("in HDFS at most", samples, runs -> format("%.0f MB", peakStorage(runs) / MB)));
    text.append('\n');
    COMPARED.stream()
        .flatMap(part -> AutomaticReplicas.of(samples, part).stream())
        .forEach(choice -> text.append(choice.text()).append("\n\n"));
    return text.append(RunOverheadTable.of(beside(samples), failures)).toString();
  }

  private static Map<String, List<RunOverhead>> beside(Map<String, List<BlastSample>> samples) {
    Map<String, List<RunOverhead>> beside = new LinkedHashMap<>();
    samples.forEach(
        (label, runs) -> beside.put(label, runs.stream().map(BlastSample::beside).toList()));
    return beside;
  }

  /** Returns the replicas of the database as HDFS reported them; empty if not known. */
  static String replicas(List<BlastSample> runs) {
    return runs.stream()
        .map(run -> run.notes().replicas())
        .filter(replicas -> replicas > 0)
        .distinct()
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(" or "));
  }

  private static String row(
      String name,
      Map<String, List<BlastSample>> samples,
      Function<List<BlastSample>, String> cell) {
    return samples.values().stream()
        .map(runs -> cell.apply(runs) + " |")
        .collect(Collectors.joining(" ", "| " + name + " | ", "\n"));
  }

  private static String time(TimingStatistics figures) {
    return figures.seconds().size() < 2
        ? format("%.2f", figures.mean())
        : format("%.2f ± %.2f", figures.mean(), figures.deviation());
  }

  /** Compares a part with stock's; empty if stock was not run. */
  private static String comparison(Map<String, List<BlastSample>> samples, String part) {
    return samples.containsKey(ReplicaSetting.STOCK_LABEL)
        ? row(
            ReplicaSetting.STOCK_LABEL + " ÷ it, " + part + " (p)",
            samples,
            runs -> versus(samples, runs, part).map(BlastTable::cell).orElse(""))
        : "";
  }

  private static String cell(TimingComparison versus) {
    return format("%.2f (%s)", versus.ratio(), TimingStatistics.p(versus.p()));
  }

  /** Compares a part with stock's; empty for stock itself, or if stock was not run. */
  static Optional<TimingComparison> versus(
      Map<String, List<BlastSample>> samples, List<BlastSample> runs, String part) {
    List<BlastSample> stock = samples.getOrDefault(ReplicaSetting.STOCK_LABEL, List.of());
    ToDoubleFunction<BlastSample> time = Objects.requireNonNull(parts().get(part));
    if (stock.isEmpty() || stock.equals(runs)) {
      return Optional.empty();
    }
    return Optional.of(new TimingComparison(figures(stock, time), figures(runs, time)));
  }

  static double localShare(List<BlastSample> runs) {
    return runs.stream().mapToDouble(BlastSample::localShare).average().orElse(0);
  }

  static double networkBytes(List<BlastSample> runs) {
    return runs.stream().mapToLong(run -> run.notes().usage().networkBytes()).average().orElse(0);
  }

  static double peakStorage(List<BlastSample> runs) {
    return runs.stream().mapToLong(run -> run.notes().usage().peakStorage()).average().orElse(0);
  }

  /** Returns the runs as CSV with a header. */
  static String csv(Map<String, List<BlastSample>> samples) {
    StringBuilder text =
        new StringBuilder(
            "replicas,repeat,stage_in,workflow_90,workflow_100,stage_out,local_share,network_bytes,"
                + "peak_storage_bytes,session,begun,overhead_seconds,rest_seconds,"
                + "submitted_seconds,settle_seconds,clean_seconds,made_replicas\n");
    samples.values().stream().flatMap(List::stream).forEach(run -> text.append(line(run)));
    return text.toString();
  }

  private static String line(BlastSample run) {
    RunNotes notes = run.notes();
    RunSteps steps = notes.steps();
    return format(
            "%s,%d,%.3f,%.3f,%.3f,%.3f,%.4f,%d,%d,",
            run.replicas(),
            run.repeat(),
            run.stageIn(),
            run.ninetyPercent(),
            run.all(),
            run.stageOut(),
            run.localShare(),
            notes.usage().networkBytes(),
            notes.usage().peakStorage())
        + format(
            "%d,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%d\n",
            notes.session(),
            notes.begun().truncatedTo(ChronoUnit.SECONDS),
            run.beside().seconds(),
            steps.rest(),
            steps.run(),
            steps.settle(),
            steps.clean(),
            notes.replicas());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
