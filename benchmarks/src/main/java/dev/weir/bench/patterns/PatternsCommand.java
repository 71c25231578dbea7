package dev.weir.bench.patterns;

import dev.weir.bench.real.BenchOptions;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.ClusterSpec;
import dev.weir.cluster.HadoopJars;
import dev.weir.cluster.LinkRate;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench patterns}. */
@Command(
    name = "patterns",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the access patterns of workflows on a local cluster with shaped links, with stock Hadoop,"
          + " with Weir's dispatch only and with everything, in turns, and compares the times with"
          + " each other and with what links and disk allow. Needs root, iproute2 and curl."
    },
    footer = {
      "",
      "Examples:",
      "  weir bench patterns --nodes 8 --patterns broadcast,reduce --sizes medium --repeat 3",
      "  weir bench patterns --patterns broadcast --sizes medium --replicas 1,2,4,8,16,19"
    })
public final class PatternsCommand implements Callable<Integer> {
  /** Blocks are scaled as files are; a block is a whole number of checksums. */
  private static final long BLOCK_BYTES = 128L << 20;

  private static final long LEAST_BLOCK_BYTES = 1 << 20;
  private static final int CHECKSUM_BYTES = 512;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      defaultValue = "19",
      description =
          "Nodes besides the master, with one worker each; the study had ${DEFAULT-VALUE}, which is"
              + " the default.")
  private int nodes;

  @Option(
      names = "--link",
      defaultValue = "100mbit",
      description = "Rate of every link (default: ${DEFAULT-VALUE}).")
  private String link;

  @Option(
      names = "--scale",
      defaultValue = "0",
      description =
          "Factor of the published sizes and of HDFS's block sizes. The default is the rate of the"
              + " links divided by 1 Gbit/s, with which a file takes as long over a link as in the"
              + " study: 0.1 with 100mbit.")
  private double scale;

  @Option(
      names = "--repeat",
      defaultValue = "7",
      description = "How often each is run (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--patterns",
      split = ",",
      defaultValue = "pipeline,broadcast,reduce,scatter,gather,reuse",
      description = "Which: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
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
      description =
          "stock-r3, stock-r1, dispatch-r3, dispatch-r1, weir (default: ${DEFAULT-VALUE}).")
  private List<Setup> setups;

  @Option(
      names = "--variants",
      split = ",",
      defaultValue = "plain",
      description =
          "plain; waves, of pipeline, broadcast and reduce: four times as many tasks as nodes, each"
              + " computing for 2 to 6 s; slow_writer, of broadcast and scatter: the file that many"
              + " read is written at half the rate of a link (default: ${DEFAULT-VALUE}).")
  private List<Variant> variants;

  @Option(
      names = "--replicas",
      split = ",",
      description =
          "Instead of the setups compare so many replicas of the file that is broadcast with what"
              + " the runner chooses; for example 1,2,4,8,16,19.")
  private @Nullable List<Integer> replicas;

  @Option(
      names = "--staged",
      description =
          "Bring the inputs from a file server outside the cluster and the results to it, as the"
              + " study did; times are told with and without that.")
  private boolean staged;

  @Option(
      names = "--out",
      defaultValue = "weir-bench",
      description =
          "Where patterns.html, patterns.md, patterns.csv and the records of runs go (default:"
              + " ${DEFAULT-VALUE}).")
  private Path out;

  /** The arguments are the command's. */
  public static void main(String[] args) {
    // Hadoop's clients leave threads behind.
    System.exit(
        new CommandLine(new PatternsCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LinkRate rate = LinkRate.parse(link);
    if (scale == 0) {
      scale = rate.bitsPerSecond() / 1e9;
    }
    Files.createDirectories(out);
    Path scratch = Files.createTempDirectory(out, "scratch-");
    long begin = System.nanoTime();
    try (LocalCluster cluster = LocalCluster.start(cluster(rate), step -> {});
        BackEnd backEnd = BackEnd.start(cluster, scratch.resolve("back-end"));
        PatternRuns runs = new PatternRuns(cluster, staged ? backEnd : null, scratch, clock)) {
      say(String.format(Locale.ROOT, "%d nodes after %.0f s", nodes, seconds(begin)));
      measureAll(runs, backEnd.measureRate(), scratch);
    } finally {
      FileUtils.deleteDirectory(scratch.toFile());
    }
    return 0;
  }

  private ClusterSpec cluster(LinkRate rate) throws IOException {
    HadoopJars jars = HadoopJars.ofDistribution(Path.of(System.getProperty("weir.home", ".")));
    return BenchOptions.patient(ClusterSpec.builder(jars))
        .nodes(nodes)
        .link(rate)
        .hintServices(0)
        .outside(true)
        .startTimeout(START_TIMEOUT)
        .configuration("dfs.blocksize", scaled(BLOCK_BYTES))
        .configuration("dfs.namenode.fs-limits.min-block-size", scaled(LEAST_BLOCK_BYTES))
        .build();
  }

  private String scaled(long bytes) {
    long checksums = Math.max(1, (long) (bytes * scale / CHECKSUM_BYTES));
    return Long.toString(checksums * CHECKSUM_BYTES);
  }

  private void measureAll(PatternRuns runs, double bytesPerSecond, Path scratch)
      throws IOException, InterruptedException {
    say(String.format(Locale.ROOT, "a link carries %.2f MB/s", bytesPerSecond / 1e6));
    Files.writeString(out.resolve("patterns.csv"), Tables.csvHeader());
    Files.writeString(out.resolve("patterns.md"), "");
    PatternSeries series =
        new PatternSeries(runs, setups(), repeat, out, spec.commandLine().getErr());
    List<Outcome> outcomes = new ArrayList<>();
    for (Experiment experiment : experiments()) {
      long begin = System.nanoTime();
      double local =
          new LocalRun(nodes, scratch)
              .seconds(new PatternWorkflow(experiment, Setup.WEIR, "").workflow());
      Bound bound = Bound.of(experiment, bytesPerSecond, local);
      Outcome outcome =
          new Outcome(
              experiment,
              experiment.label() + (replicas == null ? "" : ", by replicas"),
              series.measure(experiment),
              bound,
              staged);
      outcomes.add(outcome);
      PatternPage.write(outcomes, about(bytesPerSecond), out.resolve("patterns.html"));
      append("patterns.csv", Tables.csv(outcome));
      append("patterns.md", Tables.markdown(outcome) + "\n");
      say(Tables.markdown(outcome) + String.format(Locale.ROOT, "(%.0f s)%n", seconds(begin)));
    }
  }

  private void say(String text) {
    PrintWriter console = spec.commandLine().getErr();
    console.println(text);
    console.flush();
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private String about(double bytesPerSecond) {
    return String.format(
        Locale.ROOT,
        "%d nodes with links of %s (measured: %.2f MB/s), published sizes times %s, each run %d"
            + " times, in turns. %s, %d processors.",
        nodes,
        link,
        bytesPerSecond / 1e6,
        scale,
        repeat,
        LocalDate.now(clock),
        Runtime.getRuntime().availableProcessors());
  }

  private List<Experiment> experiments() {
    double rate = LinkRate.parse(link).bitsPerSecond() / 8.0;
    List<Experiment> all = new ArrayList<>();
    for (PatternSize size : sizes) {
      for (Variant variant : variants) {
        for (Pattern pattern : patterns) {
          boolean counts = replicas == null || pattern == Pattern.BROADCAST;
          if (variant.suits(pattern) && counts) {
            all.add(new Experiment(pattern, size, variant, scale, nodes, rate));
          }
        }
      }
    }
    return all;
  }

  private List<Setup> setups() {
    if (replicas == null) {
      return setups;
    }
    List<Setup> all = new ArrayList<>();
    replicas.forEach(number -> all.add(Setup.withCopies(number)));
    all.add(Setup.WEIR);
    return all;
  }

  private void append(String name, String text) throws IOException {
    Files.writeString(out.resolve(name), text, StandardOpenOption.APPEND);
  }
}
