package dev.weir.bench.patterns;

import dev.weir.bench.comparison.ClusterOptions;
import dev.weir.bench.comparison.SizesOption;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.cli.common.OptionSection;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.ProgramLookup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
    options = "--patterns --sizes --variants --setups --staged --withhold-sizes --in-a-row")
@OptionSection(heading = "Cluster", options = "--nodes --link --scale")
@OptionSection(heading = "Series", options = "--repeat --resume --minutes --run-minutes --out")
public final class PatternsCommand implements Callable<Integer> {
  /** Blocks are scaled as files are; a block has a whole number of checksums. */
  private static final long BLOCK_BYTES = 128L << 20;

  private static final long LEAST_BLOCK_BYTES = 1 << 20;
  private static final int CHECKSUM_BYTES = 512;

  /**
   * The version of the method. A change means that earlier runs cannot be compared with new ones.
   */
  private static final int METHOD = 3;

  private static final Set<String> OF_SESSION =
      Set.of("--out", "--resume", "--minutes", "--run-minutes", "--verbose");

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
    LinkRate rate = options.link();
    if (scale == 0) {
      scale = rate.bitsPerSecond() / 1e9;
    }
    return SeriesSession.run(
        new SeriesSession.Place(options.out(), options.series(), spec.commandLine().getErr()),
        RecordedRun.class,
        () -> {
          requireUsableOptions(rate);
          Setup.requireNodes(setups, nodes);
          return parameters(rate);
        },
        new PatternExperiment());
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
    if (experiments().isEmpty()) {
      throw new SeriesException(
          "There is nothing to run: --variants waves are of pipeline, broadcast and reduce,"
              + " slow-writer of broadcast and scatter, concat of gather");
    }
    new ExperimentRequirements(ProgramLookup.missing(List.of("curl")), "apt-get install curl")
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

  private final class PatternExperiment implements SeriesSession.Experiment<RecordedRun> {
    @Override
    public List<String> prepare(SeriesDirectory directory, Path scratch) {
      return groups(anExperiment().all());
    }

    private static List<String> groups(List<Experiment> experiments) {
      return experiments.stream().map(Experiment::group).toList();
    }

    @Override
    public RunOrder order() {
      return RunOrder.of(
          groups(experiments()),
          setups.stream().map(Setup::label).toList(),
          (repeat + inARow - 1) / inARow);
    }

    @Override
    public ClusterSpec cluster() throws IOException {
      return options
          .builder(nodes)
          .outside(true)
          .configuration("dfs.blocksize", scaled(BLOCK_BYTES))
          .configuration("dfs.namenode.fs-limits.min-block-size", scaled(LEAST_BLOCK_BYTES))
          .build();
    }

    @Override
    public PatternRuns start(LocalCluster cluster, SeriesSession<RecordedRun> session)
        throws IOException, InterruptedException {
      return new PatternRuns(
          cluster,
          session,
          new PatternRuns.Conditions(
              experiments(), setups, options.series().runLimit(), staged, declared.withheld()));
    }

    @Override
    public PatternResults results(SeriesSession<RecordedRun> session) {
      return new PatternResults(
          options.out(),
          session.recorded(),
          session.sessions(),
          new PatternResults.Cluster(
              anExperiment(),
              options.linkText(),
              staged,
              Runtime.getRuntime().availableProcessors(),
              command(spec.commandLine().getParseResult())));
    }
  }

  private String scaled(long bytes) {
    long checksums = Math.max(1, (long) (bytes * scale / CHECKSUM_BYTES));
    return Long.toString(checksums * CHECKSUM_BYTES);
  }

  private Experiment anExperiment() {
    double rate = options.bytesPerSecond();
    return new Experiment(
            Pattern.PIPELINE, PatternSize.SMALL, PatternVariant.PLAIN, scale, nodes, rate)
        .inARow(inARow);
  }

  private List<Experiment> experiments() {
    List<Experiment> all = new ArrayList<>();
    for (PatternSize size : sizes) {
      for (PatternVariant variant : variants) {
        for (Pattern pattern : patterns) {
          if (variant.suits(pattern)) {
            all.add(anExperiment().of(pattern, size, variant));
          }
        }
      }
    }
    return all;
  }
}
