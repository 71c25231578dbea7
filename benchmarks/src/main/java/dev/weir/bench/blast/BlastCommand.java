package dev.weir.bench.blast;

import dev.weir.bench.real.BenchOptions;
import dev.weir.bench.series.Budget;
import dev.weir.bench.series.KeptRun;
import dev.weir.bench.series.KeptSeries;
import dev.weir.bench.series.Notes;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.SessionCluster;
import dev.weir.bench.series.SessionTable;
import dev.weir.bench.series.Turn;
import dev.weir.bench.series.TurnOrder;
import dev.weir.bench.series.WrongResultException;
import dev.weir.cluster.LocalCluster;
import dev.weir.montage.SequentialRun;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench blast}. */
@Command(
    name = "blast",
    mixinStandardHelpOptions = true,
    description = {
      "Searches one nucleotide database for many queries with NCBI BLAST+ on a local cluster with"
          + " shaped links, for several numbers of replicas of the database, in turns, and tells"
          + " the times of stage-in, 90 % and 100 % of the workflow and stage-out. What is found"
          + " must be what a sequential run without Hadoop finds.",
      "The database is made up from a seed. Needs root, iproute2 and BLAST+ ("
          + BlastPrograms.INSTALL
          + ")."
    },
    footer = {
      "",
      "Example:",
      "  weir bench blast --nodes 4 --processes 4 --scale 0.01 --replicas 1,4,auto --repeat 1"
    })
public final class BlastCommand implements Callable<Integer> {
  private static final String GROUP = "blast";

  /** What was asked for cannot be done as it was asked for. */
  private static final int REFUSED = 2;

  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options;

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
      description = "Among how many processes the queries are shared (default: ${DEFAULT-VALUE}).")
  private int processes;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "38",
      description = "How many queries (default: ${DEFAULT-VALUE}).")
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
      description =
          "Replicas of the database: numbers, 'auto' for the runner's own choice, 'stock' for"
              + " Hadoop's three without Weir (default: ${DEFAULT-VALUE}).")
  private List<String> replicas;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "20261121",
      description = "Of database and queries (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** The arguments are the command's. */
  public static void main(String[] args) {
    // Hadoop's clients leave threads behind.
    System.exit(new CommandLine(new BlastCommand()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getErr();
    List<String> missing = BlastPrograms.missing(System.getenv());
    if (!missing.isEmpty()) {
      console.println(
          "Programs that are not on the PATH: "
              + String.join(", ", missing)
              + ". Install them: "
              + BlastPrograms.INSTALL);
      return 1;
    }
    Budget budget = options.sittings().budget();
    List<Replicas> choices = replicas.stream().map(Replicas::parse).toList();
    SeriesParameters parameters =
        SeriesParameters.none()
            .with("bench", GROUP)
            .with("scale", scale)
            .with("queries", queries)
            .with("processes", processes)
            .with("seed", seed);
    try (SeriesDirectory directory =
        SeriesDirectory.open(
            options.out(), options.parameters(parameters, nodes), options.sittings().resume())) {
      return hold(directory, choices, budget);
    } catch (SeriesException e) {
      console.println(e.getMessage());
      console.flush();
      return REFUSED;
    }
  }

  private int hold(SeriesDirectory directory, List<Replicas> choices, Budget budget)
      throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getErr();
    KeptSeries kept = new KeptSeries(directory, List.of(GROUP));
    List<Session> sessions = new ArrayList<>(directory.sessions());
    TurnOrder order =
        TurnOrder.of(
            List.of(new TurnOrder.Group(GROUP, choices.stream().map(Replicas::label).toList())),
            options.repeat());
    if (kept.next(order).isPresent()) {
      BlastInputs inputs = inputs(directory);
      Instant begun = clock.instant();
      double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      try (LocalCluster cluster = new SessionCluster(options.out()).start(options.cluster(nodes));
          BlastRuns runs = new BlastRuns(cluster, path(), clock)) {
        warmUp(choices, runs, inputs);
        Session session = Session.after(sessions, begun, 0, load);
        directory.keep(session);
        sessions.add(session);
        new RunLoop(directory, kept, () -> write(kept, sessions), console)
            .run(order, budget, turn -> make(turn, runs, inputs, session));
      }
    }
    console.println();
    console.println(write(kept, sessions));
    kept.remaining(order).ifPresent(console::println);
    console.flush();
    return kept.failures().isEmpty() ? 0 : 1;
  }

  /** Made once for a series, and whole when something was said of it. */
  private BlastInputs inputs(SeriesDirectory directory) throws IOException, InterruptedException {
    Path inputs = options.out().resolve("blast-inputs");
    Path reference = options.out().resolve("blast-sequential");
    if (!directory.groups().contains(GROUP)) {
      FileUtils.deleteDirectory(inputs.toFile());
      Files.createDirectories(inputs);
      NucleotideSpec database = NucleotideSpec.scaled(scale, queries, seed);
      BlastWorkflow.makeInputs(database, processes, inputs);
      sequentialRun(inputs, reference);
      directory.keepAbout(
          GROUP,
          String.format(
              Locale.ROOT,
              "A database of %d bases, and what %d queries find in it without Hadoop: %s",
              database.bases(),
              queries,
              reference));
    }
    spec.commandLine().getErr().println(directory.about(GROUP));
    spec.commandLine().getErr().flush();
    return new BlastInputs(inputs, reference);
  }

  /**
   * What runs start from and must come to.
   *
   * @param inputs database and queries
   * @param reference what a sequential run found
   */
  private record BlastInputs(Path inputs, Path reference) {}

  private static String path() {
    return System.getenv().getOrDefault("PATH", "");
  }

  private void sequentialRun(Path inputs, Path reference) throws IOException, InterruptedException {
    Path sandboxes = options.out().resolve("blast-sandboxes");
    FileUtils.deleteDirectory(reference.toFile());
    FileUtils.deleteDirectory(sandboxes.toFile());
    Files.createDirectories(reference);
    try (Stream<Path> files = Files.list(inputs)) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(reference.resolve(file.getFileName()), file.toAbsolutePath());
      }
    }
    new SequentialRun(reference, sandboxes, Map.of("PATH", path()))
        .run(BlastWorkflow.of(inputs, processes, ""), task -> {});
    FileUtils.deleteDirectory(sandboxes.toFile());
  }

  private KeptRun make(Turn turn, BlastRuns runs, BlastInputs data, Session session)
      throws IOException, InterruptedException {
    Replicas choice = Replicas.ofLabel(turn.setup());
    Path results = options.out().resolve("blast-" + turn.setup() + "-" + turn.repeat());
    FileUtils.deleteDirectory(results.toFile());
    Instant begun = clock.instant();
    BlastRuns.Done done = runs.run(workflow(choice, data.inputs()), choice, data.inputs(), results);
    requireSame(data.reference(), results);
    FileUtils.deleteDirectory(results.toFile());
    Notes notes = new Notes(session.number(), begun, done.usage(), done.steps());
    KeptRun run = new KeptRun(turn, done.record(), notes);
    say(BlastSample.of(run), spec.commandLine().getErr());
    return run;
  }

  /**
   * The first runs on a new cluster are slow: some that are in no table, with hints and without.
   */
  private void warmUp(List<Replicas> choices, BlastRuns runs, BlastInputs data)
      throws IOException, InterruptedException {
    Path results = options.out().resolve("blast-warm-up");
    Map<Mode, Replicas> modes = new EnumMap<>(Mode.class);
    choices.forEach(choice -> modes.putIfAbsent(choice.mode(), choice));
    for (Replicas choice : modes.values()) {
      FileUtils.deleteDirectory(results.toFile());
      runs.run(workflow(choice, data.inputs()), choice, data.inputs(), results);
    }
    FileUtils.deleteDirectory(results.toFile());
    runs.beginToCount();
  }

  /** Written and read again, so that what runs is what 'weir run FILE' would run. */
  private Workflow workflow(Replicas choice, Path inputs) throws IOException {
    Path file = options.out().resolve("blast-" + choice.label() + ".json");
    WfFormatWriter.write(BlastWorkflow.of(inputs, processes, choice.hint()), file);
    return Importers.standard().read(file, ImportSettings.NONE).workflow();
  }

  private void requireSame(Path reference, Path results) throws IOException {
    for (int i = 0; i < processes; i++) {
      String hits = BlastWorkflow.hits(i);
      long place = Files.mismatch(reference.resolve(hits), results.resolve(hits));
      if (place >= 0) {
        throw new WrongResultException(
            results.resolve(hits)
                + " differs from what a sequential run found, "
                + reference.resolve(hits)
                + ", from byte "
                + place
                + " on");
      }
    }
  }

  private static void say(BlastSample sample, PrintWriter console) {
    console.printf(
        Locale.ROOT,
        "%s, %d: stage-in %.1f s, 90 %% %.1f s, 100 %% %.1f s, stage-out %.1f s, %.0f %% read"
            + " locally%n",
        sample.replicas(),
        sample.repeat(),
        sample.stageIn(),
        sample.most(),
        sample.all(),
        sample.stageOut(),
        100 * sample.localShare());
    console.flush();
  }

  /** Tables and page of all that the series has. */
  private String write(KeptSeries kept, List<Session> sessions) throws IOException {
    Path out = options.out();
    Map<String, List<BlastSample>> samples = BlastSample.byReplicas(kept.runs(GROUP));
    String tables = BlastTable.markdown(samples, about()) + "\n" + SessionTable.of(sessions, kept);
    Files.writeString(out.resolve("blast.csv"), BlastTable.csv(samples));
    Files.writeString(out.resolve("blast.md"), tables);
    BlastPage.write(samples, about(), out.resolve("blast.html"));
    return tables;
  }

  private String about() {
    return options.about(nodes, clock)
        + String.format(
            Locale.ROOT,
            " A database of %.1f MB, the published 1.7 GB times %s, %d queries, %d processes.",
            NucleotideSpec.PUBLISHED_BYTES * scale / 1e6,
            scale,
            queries,
            processes);
  }
}
