package dev.weir.bench.patterns;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.report.Sample;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes runs of patterns. Beside each repetition it measures the same commands without Hadoop, on
 * the same machine at about the same time. Not thread-safe.
 */
final class PatternRunMaker implements RunLoop.Maker {
  private final RecordedSeries kept;
  private final Map<String, ExperimentSetups> parts;
  private final Bench bench;
  private final Consumer<String> console;

  /**
   * The environment of a session.
   *
   * @param runs makes runs on the cluster
   * @param local makes runs without a cluster
   */
  record Bench(Session session, PatternRuns runs, LocalRun local, Clock clock) {}

  /**
   * Creates a maker for some experiments.
   *
   * @param kept receives the measurements without Hadoop
   * @param console receives a line per run
   */
  PatternRunMaker(
      RecordedSeries kept, List<ExperimentSetups> parts, Bench bench, Consumer<String> console) {
    this.kept = kept;
    this.parts =
        parts.stream().collect(Collectors.toMap(ExperimentSetups::group, Function.identity()));
    this.bench = bench;
    this.console = console;
  }

  @Override
  public RecordedRun make(PlannedRun planned) throws IOException, InterruptedException {
    ExperimentSetups part = parts.get(planned.group());
    if (part == null) {
      throw new IllegalArgumentException("No experiment '" + planned.group() + "'");
    }
    if (!kept.hasLocal(planned)) {
      double seconds =
          bench.local().seconds(new PatternWorkflow(part.experiment(), Setup.WEIR, "").workflow());
      kept.add(
          planned.group(), new LocalRunTime(planned.repeat(), bench.session().number(), seconds));
    }
    Instant begun = bench.clock().instant();
    MeasuredRuns.Measured done =
        bench.runs().run(part.experiment(), Setup.ofLabel(planned.setup()), planned.repeat());
    int session = bench.session().number();
    RunNotes notes = new RunNotes(session, begun, done.usage(), done.steps());
    RecordedRun run = new RecordedRun(planned, done.record(), notes);
    Sample.all(run, PatternWorkflow.STAGING).forEach(sample -> say(part, sample));
    return run;
  }

  private void say(ExperimentSetups part, Sample sample) {
    console.accept(
        String.format(
            Locale.ROOT,
            "  %s, %s, %d: %.2f s of %.1f s, %.1f s beside the tasks",
            part.experiment().label(),
            sample.setup().label(),
            sample.repeat(),
            sample.seconds(),
            sample.times().whole(),
            sample.overhead()));
  }
}
