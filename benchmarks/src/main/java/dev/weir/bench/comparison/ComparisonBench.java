package dev.weir.bench.comparison;

import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SessionCluster;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.measure.WarmUpRuns;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.TimeBudget;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.commons.io.FileUtils;

/** Starts a cluster, runs subjects on it in several setups, and stops it. */
public final class ComparisonBench {
  private static final int WARM_UP_BYTES = 1_000_000;

  /** The exit code for options that cannot be used. */
  private static final int REFUSED = 2;

  /**
   * The version of the method. A change means that earlier runs cannot be compared with new ones.
   */
  private static final int METHOD = 3;

  /**
   * The wait for the workers of all nodes. The start of their processes on few cores does not
   * depend on the placement of data.
   */
  private static final Duration WORKER_WAIT = Duration.ofMinutes(2);

  private final ComparisonOptions options;
  private final int nodes;
  private final List<Setup> setups;
  private final PrintWriter console;
  private final ForeignSystem.Factory foreign;
  private final Clock clock = Clock.systemUTC();

  @FunctionalInterface
  public interface Subjects {
    /**
     * Creates the subjects.
     *
     * @param scratch a directory for inputs, which exists until all runs have ended
     */
    List<Subject> make(Path scratch) throws IOException, InterruptedException;
  }

  /**
   * Creates a comparison.
   *
   * @param nodes the number of nodes
   * @param console receives a line per run
   */
  public ComparisonBench(
      ComparisonOptions options, int nodes, List<Setup> setups, PrintWriter console) {
    this(options, nodes, setups, console, ForeignSystem.Factory.NONE);
  }

  /**
   * Creates a comparison with another system.
   *
   * @param nodes the number of nodes
   * @param console receives a line per run
   * @param foreign starts the system that runs setups without Hadoop
   */
  public ComparisonBench(
      ComparisonOptions options,
      int nodes,
      List<Setup> setups,
      PrintWriter console,
      ForeignSystem.Factory foreign) {
    this.options = options;
    this.nodes = nodes;
    this.setups = List.copyOf(setups);
    this.console = console;
    this.foreign = foreign;
  }

  /**
   * Returns a plan with one worker on each node, which stays when it is idle. A released worker
   * would return late and cold, and in some setups only.
   */
  public static WorkerPlan workers(int nodes) {
    return WorkerPlan.DEFAULT.withPatience(WORKER_WAIT).elastic(nodes, WorkerPlan.IDLE_SECONDS);
  }

  /**
   * Makes the missing runs.
   *
   * @param parameters the parameters of the series besides nodes and links
   * @param needs the requirements on this machine
   * @return the exit code
   * @throws IOException if several runs fail one after another, or if results differ from those of
   *     the first run of a subject
   */
  public int run(
      SeriesParameters parameters, Heading heading, ExperimentRequirements needs, Subjects subjects)
      throws IOException, InterruptedException {
    TimeBudget budget = options.series().budget();
    try {
      Setup.requireNodes(setups, nodes);
      needs.check();
      return run(
          options
              .parameters(parameters, nodes)
              .with("bench", heading.name())
              .with("method", METHOD),
          heading,
          subjects,
          budget);
    } catch (SeriesException e) {
      print(String.valueOf(e.getMessage()));
      return REFUSED;
    }
  }

  private int run(
      SeriesParameters parameters, Heading heading, Subjects subjects, TimeBudget budget)
      throws IOException, InterruptedException {
    try (SeriesDirectory directory =
        SeriesDirectory.open(options.out(), parameters, options.series().resume())) {
      Path scratch = directory.scratch();
      try {
        List<Subject> made = subjects.make(scratch);
        return new ClusterSession(
                directory,
                options.withholdsSizes() ? made.stream().map(Subject::withheld).toList() : made,
                heading)
            .runSession(scratch, budget);
      } finally {
        FileUtils.deleteDirectory(scratch.toFile());
      }
    }
  }

  private void print(String text) {
    console.println(text);
    console.flush();
  }

  /**
   * The titles.
   *
   * @param name of the files, without extension
   * @param title of the page
   * @param remark on the method, a few sentences
   */
  public record Heading(String name, String title, String remark) {}

  private final class ClusterSession {
    private final SeriesDirectory directory;
    private final List<Subject> subjects;
    private final Heading heading;
    private final RecordedSeries recorded;
    private final List<Session> sessions;

    ClusterSession(SeriesDirectory directory, List<Subject> subjects, Heading heading)
        throws IOException {
      this.directory = directory;
      this.subjects = subjects;
      this.heading = heading;
      Set<String> groups = new LinkedHashSet<>(directory.groups());
      subjects.forEach(subject -> groups.add(subject.name()));
      this.recorded = new RecordedSeries(directory, List.copyOf(groups));
      this.sessions = new ArrayList<>(directory.sessions());
    }

    int runSession(Path scratch, TimeBudget budget) throws IOException, InterruptedException {
      requireSame();
      RunOrder order =
          RunOrder.of(
              subjects.stream()
                  .map(
                      subject ->
                          new RunOrder.Group(
                              subject.name(), setups.stream().map(Setup::label).toList()))
                  .toList(),
              options.repeat());
      if (recorded.next(order).isPresent()) {
        measure(order, scratch, budget);
      }
      results().write();
      print("\n" + results().markdown());
      recorded.remaining(order).ifPresent(ComparisonBench.this::print);
      return recorded.failures().isEmpty() ? 0 : 1;
    }

    /** Refuses to resume a series with a subject that has changed. */
    private void requireSame() throws IOException {
      for (Subject subject : subjects) {
        if (!recorded.runs(subject.name()).isEmpty()
            && !directory.about(subject.name()).equals(subject.about())) {
          throw new SeriesException(
              options.out()
                  + " has runs of another "
                  + subject.name()
                  + ": '"
                  + directory.about(subject.name())
                  + "' there and '"
                  + subject.about()
                  + "' now. Use the same one, or name another directory with --out");
        }
      }
    }

    private void measure(RunOrder order, Path scratch, TimeBudget budget)
        throws IOException, InterruptedException {
      StepTimer timer = StepTimer.begin();
      Instant started = clock.instant();
      double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      SubjectRunner.Conditions conditions =
          new SubjectRunner.Conditions(workers(nodes), options.series().runLimit());
      try (LocalCluster cluster =
              new SessionCluster(options.out()).start(options.cluster(nodes, BlockSize.DEFAULT));
          SubjectRunner runs = new SubjectRunner(cluster, conditions, scratch, clock, foreign)) {
        print(String.format(Locale.ROOT, "%d nodes after %.0f s", nodes, timer.next()));
        warmUp(runs, scratch);
        print(String.format(Locale.ROOT, "warm after %.0f s more", timer.next()));
        Session session = Session.after(sessions, started, 0, load);
        directory.keep(session);
        sessions.add(session);
        ComparisonRunMaker.Bench bench = new ComparisonRunMaker.Bench(session, runs, console);
        new RunLoop(directory, recorded, results(), console)
            .run(order, budget, new ComparisonRunMaker(subjects, directory, recorded, bench));
      }
    }

    private ComparisonResults results() {
      return new ComparisonResults(
          new ComparisonResults.Text(
              heading.name(),
              heading.title(),
              options.about(nodes, sessions)
                  + " "
                  + heading.remark()
                  + (options.withholdsSizes() ? " Sizes of files are withheld." : "")),
          options.out(),
          new ComparisonResults.Runs(directory, recorded, withoutData()),
          sessions);
    }

    private Map<String, Double> withoutData() {
      Map<String, Double> seconds = new LinkedHashMap<>();
      for (Subject subject : subjects) {
        Double known = subject.withoutData();
        if (known != null) {
          seconds.put(subject.name(), known);
        }
      }
      return seconds;
    }
  }

  /**
   * Makes one run per mode that is not counted, because the first runs on a new cluster are slow.
   */
  private void warmUp(SubjectRunner runs, Path scratch) throws IOException, InterruptedException {
    Subject subject = warmUp(scratch.resolve("warm-up"));
    List<Setup> hadoop = setups.stream().filter(setup -> !setup.isForeign()).toList();
    for (Setup setup : WarmUpRuns.firstOfEachMode(hadoop, Setup::mode)) {
      WarmUpRuns.of("warm-up, " + setup.label(), () -> runs.run(subject, setup, scratch), console);
    }
    runs.startMeasuring();
  }

  /** Returns a workflow of two short tasks per node. */
  private Subject warmUp(Path inputs) throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    files.put("in", new DataFile("in", WARM_UP_BYTES));
    for (int i = 0; i < 2 * nodes; i++) {
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
}
