package dev.weir.bench.measure;

import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.SeriesRun;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.TimeBudget;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.io.FileUtils;

/**
 * A session of a series: starts a cluster, makes the missing runs one after another, stops the
 * cluster, and writes the results of all sessions.
 *
 * @param <R> the type of the runs
 */
public final class SeriesSession<R extends SeriesRun> {

  /** The exit code for options that cannot be used. */
  private static final int REFUSED = 2;

  private final Place place;
  private final Experiment<R> experiment;
  private final SeriesDirectory directory;
  private final Path scratch;
  private final RecordedSeries<R> recorded;
  private final List<Session> sessions;
  private final Clock clock = Clock.systemUTC();

  /**
   * Where a series is and what reports it.
   *
   * @param out the directory of tables, page and records
   * @param console receives a line per run
   */
  public record Place(Path out, SeriesOptions options, PrintWriter console) {
    /** Prints a line. */
    public void print(String text) {
      console.println(text);
      console.flush();
    }
  }

  /** Checks the requirements of an experiment. */
  @FunctionalInterface
  public interface Check {
    /**
     * Returns the parameters that all runs of a series share.
     *
     * @throws SeriesException if a requirement is not met; the message has the remedy
     */
    SeriesParameters parameters() throws IOException;
  }

  /**
   * An experiment that compares setups on a cluster.
   *
   * @param <R> the type of its runs
   */
  public interface Experiment<R extends SeriesRun> {
    /**
     * Prepares a session.
     *
     * @param scratch a directory that exists until the session ends
     * @return the groups that may have runs, including those of earlier sessions
     */
    List<String> prepare(SeriesDirectory directory, Path scratch)
        throws IOException, InterruptedException;

    RunOrder order();

    ClusterSpec cluster() throws IOException;

    /** Creates what makes the runs on a cluster. */
    Runs<R> start(LocalCluster cluster, SeriesSession<R> session)
        throws IOException, InterruptedException;

    Results results(SeriesSession<R> session);
  }

  /**
   * Makes the runs of a session.
   *
   * @param <R> the type of the runs
   */
  public interface Runs<R extends SeriesRun> extends AutoCloseable {
    /**
     * Makes runs that are not counted, because the first runs on a new cluster are slow.
     *
     * @return the measured bytes per second of a link; 0 if not measured
     */
    double warmUp() throws IOException, InterruptedException;

    /**
     * Makes a run as {@link RunLoop.Maker} does.
     *
     * @param session the number of the session
     */
    R make(PlannedRun planned, int session) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
  }

  /** Writes tables and page of all runs. */
  public interface Results extends RunLoop.Results {
    /** Returns the tables. */
    String markdown() throws IOException;
  }

  private SeriesSession(
      Place place, Class<R> type, Experiment<R> experiment, SeriesDirectory directory, Path scratch)
      throws IOException, InterruptedException {
    this.place = place;
    this.experiment = experiment;
    this.directory = directory;
    this.scratch = scratch;
    this.recorded = new RecordedSeries<>(directory, experiment.prepare(directory, scratch), type);
    this.sessions = new ArrayList<>(directory.sessions());
  }

  /**
   * Makes the missing runs of a series.
   *
   * @param type of its runs
   * @return the exit code
   * @throws IOException if several runs fail one after another, or if results are wrong
   */
  public static <R extends SeriesRun> int run(
      Place place, Class<R> type, Check check, Experiment<R> experiment)
      throws IOException, InterruptedException {
    TimeBudget budget = place.options().budget();
    try {
      SeriesParameters parameters = check.parameters();
      try (SeriesDirectory directory =
          SeriesDirectory.open(place.out(), parameters, place.options().resume())) {
        Path scratch = directory.scratch();
        try {
          return new SeriesSession<>(place, type, experiment, directory, scratch).run(budget);
        } finally {
          FileUtils.deleteDirectory(scratch.toFile());
        }
      }
    } catch (SeriesException e) {
      place.print(String.valueOf(e.getMessage()));
      return REFUSED;
    }
  }

  private int run(TimeBudget budget) throws IOException, InterruptedException {
    RunOrder order = experiment.order();
    if (recorded.next(order).isPresent()) {
      measure(order, budget);
    }
    Results results = experiment.results(this);
    results.write();
    place.print("\n" + results.markdown());
    recorded.remaining(order).ifPresent(place::print);
    return recorded.failures().isEmpty() ? 0 : 1;
  }

  private void measure(RunOrder order, TimeBudget budget) throws IOException, InterruptedException {
    StepTimer timer = StepTimer.begin();
    Instant started = clock.instant();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    try (LocalCluster cluster = new SessionCluster(place.out()).start(experiment.cluster());
        Runs<R> runs = experiment.start(cluster, this)) {
      print("%d nodes after %.0f s", cluster.nodes().size(), timer.next());
      double rate = runs.warmUp();
      print("warm after %.0f s more", timer.next());
      Session session = Session.after(sessions, started, rate, load);
      directory.keep(session);
      sessions.add(session);
      new RunLoop<>(directory, recorded, experiment.results(this), place.console())
          .run(order, budget, planned -> runs.make(planned, session.number()));
    }
  }

  /** Prints a line. */
  public void print(String format, Object... values) {
    place.print(String.format(Locale.ROOT, format, values));
  }

  public PrintWriter console() {
    return place.console();
  }

  public SeriesDirectory directory() {
    return directory;
  }

  /** Returns a directory that exists until the session ends. */
  public Path scratch() {
    return scratch;
  }

  public RecordedSeries<R> recorded() {
    return recorded;
  }

  /** Returns the sessions in order; this one is the last as soon as its cluster is warm. */
  public List<Session> sessions() {
    return List.copyOf(sessions);
  }
}
