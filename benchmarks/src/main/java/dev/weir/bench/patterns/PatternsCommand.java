package dev.weir.bench.patterns;

import dev.weir.bench.comparison.ClusterOptions;
import dev.weir.bench.comparison.SizesOption;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SessionCluster;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.TimeBudget;
import dev.weir.cli.common.OptionSection;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.ProgramLookup;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

@Command(
    name = "patterns",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs the access patterns of workflows on a local cluster with shaped links, in turns with"
          + " stock Hadoop, with Weir's dispatch only and with all of Weir. Compares the times with"
          + " each other and with the limits of links and disk. Needs root, iproute2 and curl.",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench patterns --nodes 8 --patterns broadcast,reduce --repeat 3",
      "  weir bench patterns --sizes small,medium --repeat 15 --in-a-row 5",
      "  weir bench patterns --link 10mbit --repeat 15 --minutes 50 --out OUT",
      "  weir bench patterns --link 10mbit --repeat 15 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = {
      "--patterns",
      "--sizes",
      "--variants",
      "--setups",
      "--staged",
      "--withhold-sizes",
      "--in-a-row"
    })
@OptionSection(
    heading = "Cluster",
    options = {"--nodes", "--link", "--scale"})
@OptionSection(
    heading = "Series",
    options = {"--repeat", "--resume", "--minutes", "--run-minutes", "--out"})
public final class PatternsCommand implements Callable<Integer> {
  /** Blocks are scaled as files are; a block has a whole number of checksums. */
  private static final long BLOCK_BYTES = 128L << 20;

  private static final long LEAST_BLOCK_BYTES = 1 << 20;
  private static final int CHECKSUM_BYTES = 512;

  /** The exit code for options that cannot be used. */
  private static final int REFUSED = 2;

  /**
   * The version of the method. A change means that earlier runs cannot be compared with new ones.
   */
  private static final int METHOD = 3;

  private static final Set<String> OF_SESSION =
      Set.of("--out", "--resume", "--minutes", "--run-minutes", "--verbose");

  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      defaultValue = "19",
      description =
          "Nodes besides the master, with one worker each; the study had ${DEFAULT-VALUE}, which is"
              + " the default.")
  private int nodes;

  @Mixin private ClusterOptions options;

  @Mixin private SizesOption declared;

  @Option(
      names = "--scale",
      defaultValue = "0",
      description =
          "Factor of the published sizes and of HDFS's block sizes. The default is the rate of"
              + " the links divided by 1 Gbit/s, with which a transfer takes as long as in"
              + " the study: 0.1 with 100mbit.")
  private double scale;

  @Option(
      names = "--repeat",
      defaultValue = "7",
      description =
          "Repetitions of each (default: ${DEFAULT-VALUE}), including those of the series."
              + " Repetitions --in-a-row count as one for p, which needs two: give several"
              + " times as many.")
  private int repeat;

  @Option(
      names = "--in-a-row",
      defaultValue = "1",
      description =
          "Repetitions per run, one after another on the same workers, each with its own files"
              + " and after a pause of 5 s (default: ${DEFAULT-VALUE}). For small files: a run"
              + " takes longer to start than they take to transfer.")
  private int inARow;

  @Option(
      names = "--patterns",
      split = ",",
      defaultValue = "pipeline,broadcast,reduce,scatter,gather,reuse",
      description = "The patterns: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Pattern> patterns;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "small,medium",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<PatternSize> sizes;

  @Option(
      names = "--setups",
      split = ",",
      defaultValue = "stock-r3,stock-r1,dispatch-r3,dispatch-r1,weir",
      converter = Setup.Converter.class,
      description = Setup.LABELS + " (default: ${DEFAULT-VALUE}).")
  private List<Setup> setups;

  @Option(
      names = "--variants",
      split = ",",
      defaultValue = "plain",
      converter = PatternVariant.Converter.class,
      description =
          "plain; waves, of pipeline, broadcast and reduce: four times as many tasks as nodes, each"
              + " computing for 2 to 6 s; slow-writer, of broadcast and scatter: the file that many"
              + " read is written at half the rate of a link; concat, of gather: with stock, too,"
              + " the NameNode joins what tasks have written (default: ${DEFAULT-VALUE}).")
  private List<PatternVariant> variants;

  @Option(
      names = "--staged",
      description =
          "Download the inputs from a file server outside the cluster and upload the results, as in"
              + " the study; times are reported with and without that.")
  private boolean staged;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TimeBudget budget = options.series().budget();
    LinkRate rate = options.link();
    if (scale == 0) {
      scale = rate.bitsPerSecond() / 1e9;
    }
    try {
      requireUsableOptions(rate);
      Setup.requireNodes(setups, nodes);
      try (SeriesDirectory directory =
          SeriesDirectory.open(options.out(), parameters(rate), options.series().resume())) {
        return measure(directory, budget);
      }
    } catch (SeriesException e) {
      say(String.valueOf(e.getMessage()));
      return REFUSED;
    }
  }

  /** Refuses options that would measure nothing. */
  private void requireUsableOptions(LinkRate rate) throws IOException, SeriesException {
    if (inARow < 1 || repeat < 1) {
      throw new SeriesException(
          "--in-a-row and --repeat are numbers of repetitions: give 1 or more");
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new SeriesException(
          "Links of "
              + rate
              + " give no scale: give a factor of the published sizes that is more than 0:"
              + " --scale 0.1");
    }
    if (parts().isEmpty()) {
      throw new SeriesException(
          "There is nothing to run: --variants waves are of pipeline, broadcast and reduce,"
              + " slow-writer of broadcast and scatter, concat of gather");
    }
    String path = System.getenv().getOrDefault("PATH", "");
    new ExperimentRequirements(ProgramLookup.missing(List.of("curl"), path), "apt-get install curl")
        .check();
  }

  /** Returns the parameters that all compared runs share. */
  private SeriesParameters parameters(LinkRate rate) {
    return SeriesParameters.none()
        .withEnvironment()
        .with("bench", "patterns")
        .with("method", METHOD)
        .with("nodes", nodes)
        .with("link", rate)
        .with("scale", scale)
        .with("staged", staged)
        .with("in a row", inARow)
        .with(SizesOption.PARAMETER, declared.parameter());
  }

  private int measure(SeriesDirectory directory, TimeBudget budget)
      throws IOException, InterruptedException {
    List<ExperimentSetups> parts = parts();
    List<String> groups =
        ExperimentSetups.all(anExperiment()).stream().map(ExperimentSetups::group).toList();
    RecordedSeries kept = new RecordedSeries(directory, groups);
    List<Session> sessions = new ArrayList<>(directory.sessions());
    RunOrder order = order(parts);
    if (kept.next(order).isPresent()) {
      Path scratch = directory.scratch();
      try {
        new ClusterSession(directory, kept, sessions, scratch).run(parts, budget);
      } finally {
        FileUtils.deleteDirectory(scratch.toFile());
      }
    }
    PatternResults results = results(kept, sessions);
    results.write();
    say(results.markdown());
    kept.remaining(order).ifPresent(this::say);
    return kept.failures().isEmpty() ? 0 : 1;
  }

  private RunOrder order(List<ExperimentSetups> parts) {
    int runs = (repeat + inARow - 1) / inARow;
    return RunOrder.of(parts.stream().map(ExperimentSetups::orderGroup).toList(), runs);
  }

  private PatternResults results(RecordedSeries kept, List<Session> sessions) {
    return new PatternResults(
        options.out(),
        kept,
        sessions,
        new PatternResults.Cluster(
            anExperiment(),
            options.linkText(),
            staged,
            Runtime.getRuntime().availableProcessors(),
            command(spec.commandLine().getParseResult())));
  }

  /** Returns the command line without the options that differ between sessions. */
  static String command(ParseResult parsed) {
    return "./weir bench patterns"
        + parsed.matchedOptions().stream()
            .filter(option -> !OF_SESSION.contains(option.longestName()))
            .map(
                option ->
                    " "
                        + option.longestName()
                        + (option.arity().max() == 0
                            ? ""
                            : " " + String.join(",", option.originalStringValues())))
            .collect(Collectors.joining());
  }

  private final class ClusterSession {
    private final SeriesDirectory directory;
    private final RecordedSeries kept;
    private final List<Session> sessions;
    private final Path scratch;

    /**
     * Creates a session.
     *
     * @param sessions receives the new session
     */
    ClusterSession(
        SeriesDirectory directory, RecordedSeries kept, List<Session> sessions, Path scratch) {
      this.directory = directory;
      this.kept = kept;
      this.sessions = sessions;
      this.scratch = scratch;
    }

    void run(List<ExperimentSetups> parts, TimeBudget budget)
        throws IOException, InterruptedException {
      StepTimer timer = StepTimer.begin();
      Instant begun = clock.instant();
      double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      try (LocalCluster cluster = new SessionCluster(options.out()).start(cluster());
          OutsideServer backEnd = OutsideServer.start(cluster, scratch.resolve("back-end"));
          PatternRuns runs =
              new PatternRuns(
                  cluster,
                  staged ? backEnd : null,
                  scratch,
                  clock,
                  new PatternRuns.Conditions(options.series().runLimit(), declared.withheld()))) {
        say(String.format(Locale.ROOT, "%d nodes after %.0f s", nodes, timer.next()));
        double rate = backEnd.measureRate(anExperiment().bytesPerSecond());
        say(String.format(Locale.ROOT, "a link carries %.3f MB/s", rate / 1e6));
        timer.next();
        runs.warmUp(anExperiment(), setups, spec.commandLine().getErr());
        say(String.format(Locale.ROOT, "warm after %.0f s more", timer.next()));
        Session session = Session.after(sessions, begun, rate, load);
        directory.keep(session);
        sessions.add(session);
        PatternRunMaker maker =
            new PatternRunMaker(
                kept,
                parts,
                new PatternRunMaker.Bench(session, runs, new LocalRun(nodes, scratch), clock),
                PatternsCommand.this::say);
        new RunLoop(directory, kept, results(kept, sessions), spec.commandLine().getErr())
            .run(order(parts), budget, maker);
      }
    }
  }

  private ClusterSpec cluster() throws IOException {
    return options
        .builder(nodes)
        .outside(true)
        .configuration("dfs.blocksize", scaled(BLOCK_BYTES))
        .configuration("dfs.namenode.fs-limits.min-block-size", scaled(LEAST_BLOCK_BYTES))
        .build();
  }

  private String scaled(long bytes) {
    long checksums = Math.max(1, (long) (bytes * scale / CHECKSUM_BYTES));
    return Long.toString(checksums * CHECKSUM_BYTES);
  }

  private void say(String text) {
    PrintWriter console = spec.commandLine().getErr();
    console.println(text);
    console.flush();
  }

  private Experiment anExperiment() {
    double rate = options.bytesPerSecond();
    return new Experiment(
            Pattern.PIPELINE, PatternSize.SMALL, PatternVariant.PLAIN, scale, nodes, rate)
        .inARow(inARow);
  }

  private List<ExperimentSetups> parts() {
    List<ExperimentSetups> all = new ArrayList<>();
    for (PatternSize size : sizes) {
      for (PatternVariant variant : variants) {
        for (Pattern pattern : patterns) {
          if (variant.suits(pattern)) {
            all.add(new ExperimentSetups(anExperiment().of(pattern, size, variant), setups));
          }
        }
      }
    }
    return all;
  }
}
