package dev.weir.bench.comparison;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.report.Sample;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Makes runs of subjects. The results of each subject must be the same in all runs. Not
 * thread-safe.
 */
final class ComparisonRunMaker implements RunLoop.Maker {
  private final Map<String, Subject> subjects = new HashMap<>();
  private final Map<String, ResultChecker> checkers = new HashMap<>();
  private final SeriesDirectory directory;
  private final Bench bench;
  private final Clock clock = Clock.systemUTC();

  /**
   * The environment of a session.
   *
   * @param runs makes runs on the cluster
   * @param console receives a line per run
   */
  record Bench(Session session, SubjectRunner runs, PrintWriter console) {}

  /**
   * Creates a maker for some subjects.
   *
   * @param recorded the runs of earlier sessions
   * @throws IOException if stored results cannot be read
   */
  ComparisonRunMaker(
      List<Subject> all, SeriesDirectory directory, RecordedSeries recorded, Bench bench)
      throws IOException {
    this.directory = directory;
    this.bench = bench;
    for (Subject subject : all) {
      subjects.put(subject.name(), subject);
      boolean resumed = !recorded.runs(subject.name()).isEmpty();
      checkers.put(
          subject.name(), new ResultChecker(subject, directory.of(subject.name()), resumed));
    }
  }

  @Override
  public RecordedRun make(PlannedRun planned) throws IOException, InterruptedException {
    Subject subject = subjects.get(planned.group());
    ResultChecker checker = checkers.get(planned.group());
    if (subject == null || checker == null) {
      throw new IllegalArgumentException("No subject '" + planned.group() + "'");
    }
    String label = planned.setup() + "-" + planned.repeat();
    Path results = checker.of(label);
    Instant started = clock.instant();
    MeasuredRuns.Measured measured =
        bench.runs().run(subject, Setup.ofLabel(planned.setup()), results);
    checker.check(label);
    directory.keepAbout(planned.group(), subject.about());
    RunNotes notes =
        new RunNotes(bench.session().number(), started, measured.usage(), measured.steps());
    RecordedRun run = new RecordedRun(planned, measured.record(), notes);
    print(subject, Sample.of(run, Set.of()));
    return run;
  }

  private void print(Subject subject, Sample sample) {
    PrintWriter console = bench.console();
    console.printf(
        Locale.ROOT,
        "  %s, %s, %d: %.1f s, %.0f %% read locally, %.1f MB over the network, %.1f MB stored,"
            + " %.1f s beside the tasks%n",
        subject.name(),
        sample.setup().label(),
        sample.repeat(),
        sample.seconds(),
        100 * sample.localShare(),
        sample.usage().networkBytes() / 1e6,
        sample.usage().peakStorage() / 1e6,
        sample.overhead());
    console.flush();
  }
}
