package dev.weir.bench.comparison;

import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts a cluster, runs subjects on it in several setups, and stops it. */
public final class ComparisonBench {

  /**
   * The version of the method. A change means that earlier runs cannot be compared with new ones.
   */
  private static final int METHOD = 3;

  private final ComparisonOptions options;
  private final PrintWriter console;
  private final ForeignSystem.Factory foreign;

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
   * @param console receives a line per run
   */
  public ComparisonBench(ComparisonOptions options, PrintWriter console) {
    this(options, console, ForeignSystem.Factory.NONE);
  }

  /**
   * Creates a comparison with another system.
   *
   * @param console receives a line per run
   * @param foreign starts the system that runs setups without Hadoop
   */
  public ComparisonBench(
      ComparisonOptions options, PrintWriter console, ForeignSystem.Factory foreign) {
    this.options = options;
    this.console = console;
    this.foreign = foreign;
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
    return SeriesSession.run(
        new SeriesSession.Place(options.out(), options.series(), console),
        RecordedRun.class,
        () -> {
          Setup.requireNodes(options.setups(), options.nodes());
          needs.check();
          return options
              .parameters(parameters)
              .with("bench", heading.name())
              .with("method", METHOD);
        },
        new Experiment(heading, subjects));
  }

  /**
   * The titles.
   *
   * @param name of the files, without extension
   * @param title of the page
   * @param remark on the method, a few sentences
   */
  public record Heading(String name, String title, String remark) {}

  private final class Experiment implements SeriesSession.Experiment<RecordedRun> {
    private final Heading heading;
    private final Subjects maker;
    private List<Subject> subjects = List.of();

    Experiment(Heading heading, Subjects maker) {
      this.heading = heading;
      this.maker = maker;
    }

    @Override
    public List<String> prepare(SeriesDirectory directory, Path scratch)
        throws IOException, InterruptedException {
      List<Subject> made = maker.make(scratch);
      subjects =
          options.withholdsSizes()
              ? made.stream().map(Subject::withheld).toList()
              : List.copyOf(made);
      Set<String> groups = new LinkedHashSet<>(directory.groups());
      for (Subject subject : subjects) {
        requireSame(subject, directory);
        groups.add(subject.name());
      }
      return List.copyOf(groups);
    }

    /** Refuses to resume a series with a subject that has changed. */
    private void requireSame(Subject subject, SeriesDirectory directory) throws IOException {
      if (!directory.runs(subject.name(), RecordedRun.class).isEmpty()
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

    @Override
    public RunOrder order() {
      return RunOrder.of(
          subjects.stream().map(Subject::name).toList(),
          options.setups().stream().map(Setup::label).toList(),
          options.repeat());
    }

    @Override
    public ClusterSpec cluster() throws IOException {
      return options.cluster(options.nodes(), BlockSize.DEFAULT);
    }

    @Override
    public SeriesSession.Runs<RecordedRun> start(
        LocalCluster cluster, SeriesSession<RecordedRun> session) throws IOException {
      SubjectRunner runner =
          new SubjectRunner(cluster, options.series().runLimit(), session.scratch(), foreign);
      return new ComparisonRuns(subjects, options.setups(), runner, session);
    }

    @Override
    public SeriesSession.Results results(SeriesSession<RecordedRun> session) {
      Map<String, Double> withoutData = new LinkedHashMap<>();
      for (Subject subject : subjects) {
        Double known = subject.withoutData();
        if (known != null) {
          withoutData.put(subject.name(), known);
        }
      }
      return new ComparisonResults(
          new ComparisonResults.Text(
              heading.name(),
              heading.title(),
              options.about(options.nodes(), session.sessions())
                  + " "
                  + heading.remark()
                  + (options.withholdsSizes() ? " Sizes of files are withheld." : "")),
          options.out(),
          session,
          withoutData);
    }
  }
}
