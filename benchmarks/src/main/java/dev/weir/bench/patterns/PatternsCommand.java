package dev.weir.bench.patterns;

import dev.weir.cluster.ClusterSpec;
import dev.weir.cluster.HadoopJars;
import dev.weir.cluster.LinkRate;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
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
          + " each other and with what links and disk allow. Needs root and iproute2."
    },
    footer = {
      "",
      "Example:",
      "  weir bench patterns --nodes 8 --patterns broadcast,reduce --sizes medium --repeat 3"
    })
public final class PatternsCommand implements Callable<Integer> {
  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      defaultValue = "19",
      description = "Nodes besides the master (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--link",
      defaultValue = "100mbit",
      description = "Rate of every link (default: ${DEFAULT-VALUE}).")
  private String link;

  @Option(
      names = "--scale",
      defaultValue = "0.1",
      description =
          "Factor of the published sizes; 0.1 at 100mbit takes as long as the published sizes at"
              + " 1 Gbit/s (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--repeat",
      defaultValue = "7",
      description = "How often each is run (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--patterns",
      split = ",",
      defaultValue = "pipeline,broadcast,reduce,reuse",
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
      defaultValue = "stock_r3,stock_r1,dispatch_r3,dispatch_r1,weir",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Setup> setups;

  @Option(
      names = "--waves",
      description = "Four times as many tasks as nodes, each computing for 2 to 6 s.")
  private boolean waves;

  @Option(
      names = "--out",
      defaultValue = "weir-bench",
      description =
          "Where patterns.html, patterns.md and patterns.csv go (default: ${DEFAULT-VALUE}).")
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
    HadoopJars jars = HadoopJars.ofDistribution(Path.of(System.getProperty("weir.home", ".")));
    LinkRate rate = LinkRate.parse(link);
    Files.createDirectories(out);
    ClusterSpec cluster = ClusterSpec.builder(jars).nodes(nodes).link(rate).hintServices(0).build();
    PrintWriter console = spec.commandLine().getErr();
    Path scratch = Files.createTempDirectory(out, "scratch-");
    try (LocalCluster running = LocalCluster.start(cluster, step -> {});
        PatternRuns runs = new PatternRuns(running, scratch)) {
      Files.writeString(out.resolve("patterns.csv"), Tables.csvHeader());
      Files.writeString(out.resolve("patterns.md"), "");
      List<Outcome> outcomes = new ArrayList<>();
      for (Experiment experiment : experiments()) {
        Outcome outcome = measure(experiment, runs, scratch);
        outcomes.add(outcome);
        PatternPage.write(outcomes, about(), out.resolve("patterns.html"));
        append("patterns.csv", Tables.csv(outcome));
        append("patterns.md", Tables.markdown(outcome) + "\n");
        console.println(Tables.markdown(outcome));
        console.flush();
      }
    } finally {
      FileUtils.deleteDirectory(scratch.toFile());
    }
    return 0;
  }

  private String about() {
    return nodes
        + " nodes with links of "
        + link
        + ", published sizes times "
        + scale
        + ", each run "
        + repeat
        + " times, in turns. "
        + LocalDate.now(clock)
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " processors.";
  }

  private List<Experiment> experiments() {
    List<Experiment> all = new ArrayList<>();
    for (PatternSize size : sizes) {
      for (Pattern pattern : patterns) {
        all.add(new Experiment(pattern, size, waves, scale));
      }
    }
    return all;
  }

  private Outcome measure(Experiment experiment, PatternRuns runs, Path scratch)
      throws IOException, InterruptedException {
    Workflow workflow = new PatternWorkflow(experiment, nodes).workflow();
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      for (int k = 0; k < setups.size(); k++) {
        // Each goes first as often as the others.
        Setup setup = setups.get((i + k) % setups.size());
        samples.add(Sample.of(setup, i + 1, runs.run(workflow, setup)));
      }
    }
    return new Outcome(
        experiment,
        samples,
        Bound.linkSeconds(experiment, nodes, LinkRate.parse(link).bitsPerSecond() / 8.0),
        new LocalRun(nodes, scratch).seconds(workflow));
  }

  private void append(String name, String text) throws IOException {
    Files.writeString(out.resolve(name), text, StandardOpenOption.APPEND);
  }
}
