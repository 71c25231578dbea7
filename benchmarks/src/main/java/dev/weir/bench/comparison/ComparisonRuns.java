package dev.weir.bench.comparison;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.measure.WarmUpRuns;
import dev.weir.bench.report.Sample;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.Setup;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes runs of subjects. The results of each subject must be the same in all runs. Not
 * thread-safe.
 */
final class ComparisonRuns implements SeriesSession.Runs<RecordedRun> {
  private static final int WARM_UP_BYTES = 1_000_000;

  private final Map<String, Subject> subjects = new HashMap<>();
  private final Map<String, ResultChecker> checkers = new HashMap<>();
  private final List<Setup> setups;
  private final SubjectRunner runner;
  private final SeriesSession<RecordedRun> session;
  private final Clock clock = Clock.systemUTC();

  /**
   * Creates the runs of some subjects.
   *
   * @throws IOException if stored results cannot be read
   */
  ComparisonRuns(
      List<Subject> all,
      List<Setup> setups,
      SubjectRunner runner,
      SeriesSession<RecordedRun> session)
      throws IOException {
    this.setups = setups;
    this.runner = runner;
    this.session = session;
    for (Subject subject : all) {
      String name = subject.name();
      subjects.put(name, subject);
      boolean resumed = !session.recorded().runs(name).isEmpty();
      checkers.put(name, new ResultChecker(subject, session.directory().of(name), resumed));
    }
  }

  /** Makes one run per mode. */
  @Override
  public double warmUp() throws IOException, InterruptedException {
    Subject subject = warmUp(session.scratch().resolve("warm-up"));
    List<Setup> hadoop = setups.stream().filter(setup -> !setup.isForeign()).toList();
    for (Setup setup : WarmUpRuns.firstOfEachMode(hadoop, Setup::mode)) {
      WarmUpRuns.of(
          "warm-up, " + setup.label(),
          () -> runner.run(subject, setup, session.scratch()),
          session.console());
    }
    runner.startMeasuring();
    return 0;
  }

  /** Returns a workflow of two short tasks per node. */
  private Subject warmUp(Path inputs) throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    files.put("in", new DataFile("in", WARM_UP_BYTES));
    for (int i = 0; i < 2 * runner.nodes(); i++) {
      files.put("out" + i, new DataFile("out" + i, WARM_UP_BYTES));
      tasks.add(new Task("first-" + i, "first", List.of(), List.of("in"), List.of("out" + i), 0.1));
    }
    Workflow workflow = new Workflow("warm-up", tasks, files);
    Subject.makeInputs(workflow, inputs);
    return new Subject(
        "warm-up",
        "",
        workflow,
        Subject.Programs.STAND_INS,
        new Subject.Inputs(inputs, BlockSize.DEFAULT),
        Subject.Results.NONE);
  }

  @Override
  public RecordedRun make(PlannedRun planned, int number) throws IOException, InterruptedException {
    Subject subject = subjects.get(planned.group());
    ResultChecker checker = checkers.get(planned.group());
    if (subject == null || checker == null) {
      throw new IllegalArgumentException("No subject '" + planned.group() + "'");
    }
    String label = planned.setup() + "-" + planned.repeat();
    Instant started = clock.instant();
    MeasuredRuns.Measured measured =
        runner.run(subject, Setup.ofLabel(planned.setup()), checker.of(label));
    checker.check(label);
    session.directory().keepAbout(planned.group(), subject.about());
    RunNotes notes = new RunNotes(number, started, measured.usage(), measured.steps());
    RecordedRun run = new RecordedRun(planned, measured.record(), notes);
    print(subject, Sample.of(run, Set.of()));
    return run;
  }

  private void print(Subject subject, Sample sample) {
    session.print(
        "  %s, %s, %d: %.1f s, %.0f %% read locally, %.1f MB over the network, %.1f MB stored,"
            + " %.1f s beside the tasks",
        subject.name(),
        sample.setup().label(),
        sample.repeat(),
        sample.seconds(),
        100 * sample.localShare(),
        sample.usage().networkBytes() / 1e6,
        sample.usage().peakStorage() / 1e6,
        sample.overhead());
  }

  @Override
  public void close() throws IOException {
    runner.close();
  }
}
