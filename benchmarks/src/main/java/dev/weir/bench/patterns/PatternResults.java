package dev.weir.bench.patterns;

import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.report.SetupsPage;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Writes tables and page of all runs of a series, over all sessions. */
final class PatternResults implements SeriesSession.Results {
  private final Path out;
  private final RecordedSeries<RecordedRun> kept;
  private final List<Session> sessions;
  private final Cluster cluster;

  /**
   * The cluster of all runs.
   *
   * @param link the requested rate of the links
   * @param staged whether inputs came from an outside server, and results went to it
   * @param processors of the machine
   * @param command repeats the series
   */
  record Cluster(
      Experiment experiment, String link, boolean staged, int processors, String command) {}

  /**
   * Creates the results of a series.
   *
   * @param out receives {@code patterns.md}, {@code patterns.csv} and {@code patterns.html}
   * @param sessions all sessions in order, at least one
   */
  PatternResults(
      Path out, RecordedSeries<RecordedRun> kept, List<Session> sessions, Cluster cluster) {
    this.out = out;
    this.kept = kept;
    this.sessions = List.copyOf(sessions);
    this.cluster = cluster;
  }

  @Override
  public void write() throws IOException {
    List<PatternOutcome> outcomes = outcomes();
    Files.writeString(
        out.resolve("patterns.csv"),
        PatternCsv.header(cluster.command(), commits())
            + outcomes.stream().map(PatternCsv::lines).collect(Collectors.joining()));
    String tables = markdown(outcomes);
    Files.writeString(out.resolve("patterns.md"), tables);
    SetupsPage page = new SetupsPage(tables);
    for (PatternOutcome outcome : outcomes) {
      page.add(
          outcome.experiment().label(),
          outcome.series(),
          OptionalDouble.of(outcome.bound().seconds()));
    }
    page.write("Access patterns of workflows", out.resolve("patterns.html"));
  }

  @Override
  public String markdown() {
    return markdown(outcomes());
  }

  private String markdown(List<PatternOutcome> outcomes) {
    return about()
        + "\n\n"
        + PatternTables.summary(outcomes)
        + "\n"
        + outcomes.stream()
            .map(one -> PatternTables.markdown(one) + "\n")
            .collect(Collectors.joining())
        + SessionTable.of(sessions, kept);
  }

  /**
   * Returns the outcomes of all experiments with successful or failed runs, in the order of tables.
   */
  List<PatternOutcome> outcomes() {
    List<PatternOutcome> outcomes = new ArrayList<>();
    for (Experiment experiment : cluster.experiment().all()) {
      List<RecordedRun> runs = kept.runs(experiment.group());
      if (!runs.isEmpty() || !kept.failed(experiment.group()).isEmpty()) {
        outcomes.add(
            new PatternOutcome(
                experiment,
                SeriesSamples.of(runs, PatternWorkflow.STAGING),
                bound(experiment),
                cluster.staged(),
                FailureCounts.of(kept, experiment.group())));
      }
    }
    return outcomes;
  }

  /**
   * Uses the fastest measured link and the shortest local time, because other load only makes both
   * worse.
   */
  private LowerBound bound(Experiment experiment) {
    double local =
        kept.locals(experiment.group()).stream().mapToDouble(LocalRunTime::seconds).min().orElse(0);
    return LowerBound.of(experiment, bestRate(), local);
  }

  private double bestRate() {
    return sessions.stream().mapToDouble(Session::bytesPerSecond).max().orElse(0);
  }

  private List<String> commits() {
    return sessions.stream().map(Session::commit).distinct().toList();
  }

  private String about() {
    Experiment experiment = cluster.experiment();
    return String.format(
        Locale.ROOT,
        "%d nodes with links of %s (measured: %.3f MB/s), published sizes times %s, in an order"
            + " drawn anew for each run of %d repetition%s, %s %d processors.",
        experiment.nodes(),
        cluster.link(),
        bestRate() / 1e6,
        experiment.scale(),
        experiment.inARow(),
        experiment.inARow() == 1 ? "" : "s",
        SessionTable.when(sessions),
        cluster.processors());
  }
}
