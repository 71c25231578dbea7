package dev.weir.bench.blast;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SessionCluster;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.measure.WarmUpRuns;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.TimeBudget;
import dev.weir.cli.common.OptionSection;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench blast}. */
@Command(
    name = "blast",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Searches one nucleotide database for many queries with NCBI BLAST+ on a local cluster with"
          + " shaped links, for several numbers of replicas of the database, in turns. Reports"
          + " the times of stage-in, 90 %% and 100 %% of the workflow and stage-out. The hits"
          + " must equal those of a sequential run without Hadoop.",
      "The database is generated from a seed. Needs root, iproute2 and BLAST+ ("
          + BlastPrograms.INSTALL
          + ").",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench blast --nodes 4 --scale 0.01 --replicas stock,1,auto --repeat 1",
      "  weir bench blast --repeat 7 --minutes 170 --out OUT",
      "  weir bench blast --repeat 7 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = {"--queries", "--processes", "--scale", "--replicas", "--seed"})
@OptionSection(
    heading = "Cluster",
    options = {"--nodes", "--link"})
@OptionSection(
    heading = "Series",
    options = {"--repeat", "--resume", "--minutes", "--run-minutes", "--out"})
public final class BlastCommand implements Callable<Integer> {
  private static final String GROUP = "blast";

  /** The exit code for options that cannot be used. */
  private static final int REFUSED = 2;

  /**
   * The version of the method. A change means that earlier runs cannot be compared with new ones.
   */
  private static final int METHOD = 4;

  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  @Mixin private ComparisonOptions options;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "19",
      description = "Nodes besides the master (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "19",
      description = "The number of processes that share the queries (default: ${DEFAULT-VALUE}).")
  private int processes;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "38",
      description = "The number of queries (default: ${DEFAULT-VALUE}).")
  private int queries;

  @Option(
      names = "--scale",
      paramLabel = "F",
      defaultValue = "0.1",
      description =
          "Factor of the published database's 1.7 GB; 0.1 at 100mbit takes as long to move as the"
              + " published one at 1 Gbit/s (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      split = ",",
      defaultValue = "stock,1,2,4,8,16,auto",
      converter = ReplicaSetting.Converter.class,
      description =
          "Replicas of the database: numbers, 'auto' for the runner's own choice, 'stock' for"
              + " Hadoop's three without Weir; numbers above that of the nodes are left out"
              + " (default: ${DEFAULT-VALUE}).")
  private List<ReplicaSetting> replicas;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "20261121",
      description = "The seed of database and queries (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TimeBudget budget = options.series().budget();
    SeriesParameters parameters =
        SeriesParameters.none()
            .with("bench", GROUP)
            .with("method", METHOD)
            .with("scale", scale)
            .with("queries", queries)
            .with("processes", processes)
            .with("seed", seed);
    try {
      List<ReplicaSetting> choices = choices();
      new ExperimentRequirements(BlastPrograms.missing(System.getenv()), BlastPrograms.INSTALL)
          .check();
      try (SeriesDirectory directory =
          SeriesDirectory.open(
              options.out(), options.parameters(parameters, nodes), options.series().resume())) {
        return runSession(directory, choices, budget);
      }
    } catch (SeriesException e) {
      print(String.valueOf(e.getMessage()));
      return REFUSED;
    }
  }

  private void print(String text) {
    PrintWriter console = spec.commandLine().getErr();
    console.println(text);
    console.flush();
  }

  /**
   * Leaves out numbers above that of the nodes, because HDFS would never find room for the replicas
   * and never become idle.
   */
  private List<ReplicaSetting> choices() throws SeriesException {
    if (processes < 1) {
      throw new SeriesException("--processes share the queries: give 1 or more");
    }
    if (queries < processes) {
      throw new SeriesException(
          queries
              + " queries for "
              + processes
              + " processes: ask for at least one each, with --queries or --processes");
    }
    List<ReplicaSetting> tooMany =
        replicas.stream().filter(setting -> setting.nodes() > nodes).toList();
    List<ReplicaSetting> choices =
        replicas.stream().filter(setting -> setting.nodes() <= nodes).toList();
    if (choices.isEmpty()) {
      throw new SeriesException(
          "All of --replicas are more than there are nodes, " + nodes + ": give more with --nodes");
    }
    if (!tooMany.isEmpty()) {
      print(
          "Left out, because there are "
              + nodes
              + " nodes: "
              + String.join(", ", tooMany.stream().map(ReplicaSetting::label).toList()));
    }
    return choices;
  }

  private int runSession(SeriesDirectory directory, List<ReplicaSetting> choices, TimeBudget budget)
      throws IOException, InterruptedException {
    RecordedSeries recorded = new RecordedSeries(directory, List.of(GROUP));
    List<Session> sessions = new ArrayList<>(directory.sessions());
    RunOrder order =
        RunOrder.of(
            List.of(
                new RunOrder.Group(GROUP, choices.stream().map(ReplicaSetting::label).toList())),
            options.repeat());
    if (recorded.next(order).isPresent()) {
      measure(new ClusterSession(directory, recorded, sessions), order, choices, budget);
    }
    print("\n" + write(recorded, sessions));
    recorded.remaining(order).ifPresent(this::print);
    return recorded.failures().isEmpty() ? 0 : 1;
  }

  /**
   * The state of a session.
   *
   * @param sessions receives the new session
   */
  private record ClusterSession(
      SeriesDirectory directory, RecordedSeries recorded, List<Session> sessions) {}

  private void measure(
      ClusterSession clusterSession,
      RunOrder order,
      List<ReplicaSetting> choices,
      TimeBudget budget)
      throws IOException, InterruptedException {
    BlastInputs inputs = inputs(clusterSession);
    StepTimer timer = StepTimer.begin();
    Instant started = clock.instant();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Duration limit = options.series().runLimit();
    try (LocalCluster cluster =
            new SessionCluster(options.out())
                .start(options.cluster(nodes, BlockSize.scaled(scale)));
        BlastRuns runs = new BlastRuns(cluster, path(), clock, limit)) {
      print(String.format(Locale.ROOT, "%d nodes after %.0f s", nodes, timer.next()));
      warmUp(choices, runs, inputs);
      print(String.format(Locale.ROOT, "warm after %.0f s more", timer.next()));
      Session session = Session.after(clusterSession.sessions(), started, 0, load);
      clusterSession.directory().keep(session);
      clusterSession.sessions().add(session);
      new RunLoop(
              clusterSession.directory(),
              clusterSession.recorded(),
              () -> write(clusterSession.recorded(), clusterSession.sessions()),
              spec.commandLine().getErr())
          .run(order, budget, planned -> make(planned, runs, inputs, session));
    }
  }

  private BlastInputs inputs(ClusterSession clusterSession)
      throws IOException, InterruptedException {
    BlastInputs inputs = BlastInputs.below(options.out());
    SeriesDirectory directory = clusterSession.directory();
    // Their description is written last, so with it they are complete.
    if (!directory.groups().contains(GROUP) || !inputs.exist()) {
      NucleotideSpec database = NucleotideSpec.scaled(scale, queries, seed);
      double alone = inputs.make(database, processes, path());
      clusterSession
          .recorded()
          .add(GROUP, new LocalRunTime(1, clusterSession.sessions().size() + 1, alone));
      directory.keepAbout(
          GROUP,
          String.format(
              Locale.ROOT,
              "A database of %d bases; %d queries find in it without Hadoop: %s",
              database.bases(),
              queries,
              inputs.reference()));
    }
    print(directory.about(GROUP));
    return inputs;
  }

  private static String path() {
    return System.getenv().getOrDefault("PATH", "");
  }

  private RecordedRun make(PlannedRun planned, BlastRuns runs, BlastInputs data, Session session)
      throws IOException, InterruptedException {
    ReplicaSetting choice = ReplicaSetting.ofLabel(planned.setup());
    Path results = options.out().resolve("blast-" + planned.setup() + "-" + planned.repeat());
    FileUtils.deleteDirectory(results.toFile());
    Instant started = clock.instant();
    BlastRuns.Done done =
        runs.run(workflow(choice, data.directory()), choice, data.directory(), results);
    data.requireSame(results, processes);
    FileUtils.deleteDirectory(results.toFile());
    RunNotes notes =
        new RunNotes(
            session.number(),
            started,
            done.measured().usage(),
            done.measured().steps(),
            done.replicas());
    RecordedRun run = new RecordedRun(planned, done.measured().record(), notes);
    print(BlastSample.of(run), spec.commandLine().getErr());
    return run;
  }

  /**
   * The first runs on a new cluster are slow, so a few runs with and without hints are not counted.
   */
  private void warmUp(List<ReplicaSetting> choices, BlastRuns runs, BlastInputs data)
      throws IOException, InterruptedException {
    Path results = options.out().resolve("blast-warm-up");
    for (ReplicaSetting choice : WarmUpRuns.firstOfEachMode(choices, ReplicaSetting::mode)) {
      WarmUpRuns.of(
          "warm-up, " + choice.label(),
          () -> {
            FileUtils.deleteDirectory(results.toFile());
            runs.run(workflow(choice, data.directory()), choice, data.directory(), results);
          },
          spec.commandLine().getErr());
    }
    FileUtils.deleteDirectory(results.toFile());
    runs.startMeasuring();
  }

  /** Writes and parses the workflow, so that it is the same as in 'weir run FILE'. */
  private Workflow workflow(ReplicaSetting choice, Path inputs) throws IOException {
    Path file = options.out().resolve("blast-" + choice.label() + ".json");
    WfFormatWriter.write(BlastWorkflow.of(inputs, processes, choice.hint()), file);
    return Importers.standard().read(file, ImportSettings.NONE).workflow();
  }

  private static void print(BlastSample sample, PrintWriter console) {
    console.printf(
        Locale.ROOT,
        "  %s, %d: stage-in %.1f s, 90 %% %.1f s, 100 %% %.1f s, stage-out %.1f s, %.0f %% read"
            + " locally, %.1f s beside that%n",
        sample.replicas(),
        sample.repeat(),
        sample.stageIn(),
        sample.ninetyPercent(),
        sample.all(),
        sample.stageOut(),
        100 * sample.localShare(),
        sample.beside().seconds() - sample.stageIn() - sample.stageOut());
    console.flush();
  }

  /** Writes tables and page of all runs of the series. */
  private String write(RecordedSeries recorded, List<Session> sessions) throws IOException {
    Path out = options.out();
    Map<String, List<BlastSample>> samples = BlastSample.byReplicas(recorded.runs(GROUP));
    String about = about(sessions, recorded.locals(GROUP));
    Map<String, FailureCounts> failures = FailureCounts.of(recorded, GROUP);
    String tables =
        BlastTable.markdown(samples, failures, about) + "\n" + SessionTable.of(sessions, recorded);
    Files.writeString(out.resolve("blast.csv"), BlastTable.csv(samples));
    Files.writeString(out.resolve("blast.md"), tables);
    BlastPage.write(samples, failures, about, out.resolve("blast.html"));
    return tables;
  }

  private String about(List<Session> sessions, List<LocalRunTime> alone) {
    return options.about(nodes, sessions)
        + String.format(
            Locale.ROOT,
            " A database of %.1f MB, the published 1.7 GB times %s, %d queries, %d processes;"
                + " without Hadoop, one after another, in %.1f s.",
            NucleotideSpec.PUBLISHED_BYTES * scale / 1e6,
            scale,
            queries,
            processes,
            alone.stream().mapToDouble(LocalRunTime::seconds).min().orElse(Double.NaN));
  }
}
