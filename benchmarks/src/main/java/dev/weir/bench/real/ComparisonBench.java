package dev.weir.bench.real;

import dev.weir.bench.series.Budget;
import dev.weir.bench.series.KeptSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.SessionCluster;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.TurnOrder;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.WorkerPlan;
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
import java.util.Map;
import java.util.Set;
import org.apache.commons.io.FileUtils;

/** Starts a cluster, runs subjects on it in several setups, and takes it down. */
public final class ComparisonBench {
  private static final long WARM_UP_BYTES = 1_000_000;

  /** What was asked for cannot be done as it was asked for. */
  private static final int REFUSED = 2;

  /**
   * For the workers of all nodes: how long their processes take to start on few cores says nothing
   * of where data are.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final BenchOptions options;
  private final int nodes;
  private final List<Setup> setups;
  private final PrintWriter console;
  private final Clock clock = Clock.systemUTC();

  /** Makes what is run. */
  @FunctionalInterface
  public interface Subjects {
    /**
     * Makes it.
     *
     * @param scratch a directory for inputs, which is there until all runs are made
     */
    List<Subject> make(Path scratch) throws IOException, InterruptedException;
  }

  /**
   * On so many nodes.
   *
   * @param console hears of every run
   */
  public ComparisonBench(BenchOptions options, int nodes, List<Setup> setups, PrintWriter console) {
    this.options = options;
    this.nodes = nodes;
    this.setups = List.copyOf(setups);
    this.console = console;
  }

  /**
   * Makes the runs that are missing.
   *
   * @param parameters what all runs of the series have in common beside nodes and links
   * @param about where and how it is measured
   * @return the exit code
   * @throws IOException when several runs fail one after another, or results are others than those
   *     of the first run of a subject
   */
  public int run(SeriesParameters parameters, Heading heading, String about, Subjects subjects)
      throws IOException, InterruptedException {
    Budget budget = options.sittings().budget();
    try (SeriesDirectory directory =
        SeriesDirectory.open(
            options.out(),
            options.parameters(parameters, nodes).with("bench", heading.name()),
            options.sittings().resume())) {
      Path scratch = directory.scratch();
      try {
        return new Sitting(
                directory,
                subjects.make(scratch),
                new ComparisonResults.Text(heading.name(), heading.title(), about))
            .hold(scratch, budget);
      } finally {
        FileUtils.deleteDirectory(scratch.toFile());
      }
    } catch (SeriesException e) {
      console.println(e.getMessage());
      console.flush();
      return REFUSED;
    }
  }

  /**
   * What it is called.
   *
   * @param name of the files that are written, without ending
   * @param title of the page
   */
  public record Heading(String name, String title) {}

  /** Makes runs on one cluster. */
  private final class Sitting {
    private final SeriesDirectory directory;
    private final List<Subject> subjects;
    private final ComparisonResults.Text text;
    private final KeptSeries kept;
    private final List<Session> sessions;

    Sitting(SeriesDirectory directory, List<Subject> subjects, ComparisonResults.Text text)
        throws IOException {
      this.directory = directory;
      this.subjects = subjects;
      this.text = text;
      Set<String> groups = new LinkedHashSet<>(directory.groups());
      subjects.forEach(subject -> groups.add(subject.name()));
      this.kept = new KeptSeries(directory, List.copyOf(groups));
      this.sessions = new ArrayList<>(directory.sessions());
    }

    int hold(Path scratch, Budget budget) throws IOException, InterruptedException {
      TurnOrder order =
          TurnOrder.of(
              subjects.stream()
                  .map(
                      one ->
                          new TurnOrder.Group(
                              one.name(), setups.stream().map(Setup::label).toList()))
                  .toList(),
              options.repeat());
      if (kept.next(order).isPresent()) {
        measure(order, scratch, budget);
      }
      results().write();
      console.println();
      console.println(results().markdown());
      kept.remaining(order).ifPresent(console::println);
      console.flush();
      return kept.failures().isEmpty() ? 0 : 1;
    }

    private void measure(TurnOrder order, Path scratch, Budget budget)
        throws IOException, InterruptedException {
      Instant begun = clock.instant();
      double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      WorkerPlan workers = WorkerPlan.DEFAULT.withPatience(PATIENCE);
      try (LocalCluster cluster = new SessionCluster(options.out()).start(options.cluster(nodes));
          SubjectRuns runs = new SubjectRuns(cluster, workers, scratch, clock)) {
        warmUp(runs, scratch);
        Session session = Session.after(sessions, begun, 0, load);
        directory.keep(session);
        sessions.add(session);
        new RunLoop(directory, kept, results(), console)
            .run(order, budget, new ComparisonRun(subjects, directory, runs, session, console));
      }
    }

    private ComparisonResults results() {
      return new ComparisonResults(text, options.out(), directory, kept, sessions);
    }
  }

  /** Runs what is not in the tables: the first runs on a new cluster, which are slow. */
  private void warmUp(SubjectRuns runs, Path scratch) throws IOException, InterruptedException {
    Subject subject = warmUp(scratch.resolve("warm-up"));
    for (Setup setup : setups) {
      runs.run(subject, setup, scratch);
    }
    runs.beginToCount();
  }

  /** Two short tasks for each node, so that no run that counts is the first of its kind. */
  private Subject warmUp(Path inputs) throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    files.put("in", new DataFile("in", WARM_UP_BYTES));
    for (int i = 0; i < 2 * nodes; i++) {
      files.put("out" + i, new DataFile("out" + i, WARM_UP_BYTES));
      tasks.add(new Task("warm-" + i, "warm", List.of(), List.of("in"), List.of("out" + i), 0.1));
    }
    Workflow workflow = new Workflow("warm-up", tasks, files);
    Subject.makeInputs(workflow, inputs);
    return new Subject(
        "warm-up", "", workflow, Subject.Programs.STAND_INS, inputs, Subject.Results.NONE);
  }
}
