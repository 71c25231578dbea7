package dev.weir.bench.patterns;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes tables and page of all that a series has, of whichever session. */
final class PatternResults implements RunLoop.Results {
  private final Path out;
  private final RecordedSeries kept;
  private final List<Session> sessions;
  private final Cluster cluster;

  /**
   * Where all runs were made.
   *
   * @param experiment one of them, whichever
   * @param link rate of the links, as it was asked for
   * @param staged whether inputs came from a server outside, and results went to it
   * @param processors of the machine
   */
  record Cluster(Experiment experiment, String link, boolean staged, int processors) {}

  /**
   * Of a series.
   *
   * @param out receives {@code patterns.md}, {@code patterns.csv} and {@code patterns.html}
   * @param sessions all, in order; one at least
   */
  PatternResults(Path out, RecordedSeries kept, List<Session> sessions, Cluster cluster) {
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
        PatternCsv.header()
            + outcomes.stream().map(PatternCsv::lines).collect(Collectors.joining()));
    Files.writeString(out.resolve("patterns.md"), markdown(outcomes));
    PatternPage.write(outcomes, about(), out.resolve("patterns.html"));
  }

  /** All tables. */
  String markdown() {
    return markdown(outcomes());
  }

  private String markdown(List<PatternOutcome> outcomes) {
    return about()
        + "\n\n"
        + outcomes.stream()
            .map(one -> PatternTables.markdown(one) + "\n")
            .collect(Collectors.joining())
        + SessionTable.of(sessions, kept);
  }

  /** Of all experiments that have runs, or of which some have failed, in the order of tables. */
  List<PatternOutcome> outcomes() {
    List<PatternOutcome> outcomes = new ArrayList<>();
    for (ExperimentSetups part : ExperimentSetups.all(cluster.experiment())) {
      List<RecordedRun> runs = kept.runs(part.group());
      if (!runs.isEmpty() || !kept.failed(part.group()).isEmpty()) {
        outcomes.add(
            new PatternOutcome(
                part.experiment(),
                part.title(),
                SeriesSamples.of(runs, PatternWorkflow.STAGING),
                bound(part),
                cluster.staged(),
                FailureCounts.of(kept, part.group())));
      }
    }
    return outcomes;
  }

  /** Of the fastest link and the shortest time that were seen: what else ran makes both worse. */
  private LowerBound bound(ExperimentSetups part) {
    double local =
        kept.locals(part.group()).stream().mapToDouble(LocalRunTime::seconds).min().orElse(0);
    return LowerBound.of(part.experiment(), bestRate(), local);
  }

  private double bestRate() {
    return sessions.stream().mapToDouble(Session::bytesPerSecond).max().orElse(0);
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
