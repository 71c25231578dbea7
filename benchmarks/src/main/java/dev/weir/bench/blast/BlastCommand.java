package dev.weir.bench.blast;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.cli.common.OptionSection;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "blast",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Searches one nucleotide database for many queries with NCBI BLAST+ on a local cluster with"
          + " shaped links, in turns with stock Hadoop and with Weir. The hits must be the same.",
      "The database is generated from a seed. Needs root, iproute2 and BLAST+ ("
          + BlastPrograms.INSTALL
          + ").",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench blast --nodes 4 --scale 0.01 --repeat 1",
      "  weir bench blast --repeat 7 --minutes 170 --out OUT",
      "  weir bench blast --repeat 7 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = "--queries --processes --scale --seed --setups --withhold-sizes")
public final class BlastCommand implements Callable<Integer> {
  private static final String NAME = "blast";

  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options =
      new ComparisonOptions(19, "stock-r3,stock-r1,weir", List.of());

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
      names = "--seed",
      paramLabel = "N",
      defaultValue = "20261121",
      description = "The seed of database and queries (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (processes < 1 || queries < processes) {
      throw new IllegalArgumentException(
          queries
              + " queries for "
              + processes
              + " processes: ask for at least one each, with --queries or --processes");
    }
    return new ComparisonBench(options, spec.commandLine().getErr())
        .run(
            SeriesParameters.none()
                .with("scale", scale)
                .with("queries", queries)
                .with("processes", processes)
                .with("seed", seed),
            new ComparisonBench.Heading(
                NAME, "BLAST with one database", "Real programs; all nodes share the processors."),
            new ExperimentRequirements(
                ProgramLookup.missing(BlastPrograms.NAMES), BlastPrograms.INSTALL),
            scratch -> List.of(search(scratch.resolve("inputs"))));
  }

  private Subject search(Path inputs) throws IOException, InterruptedException {
    NucleotideSpec database = NucleotideSpec.scaled(scale, queries, seed);
    BlastWorkflow.makeInputs(database, processes, Files.createDirectories(inputs));
    Workflow workflow = BlastWorkflow.of(inputs, processes);
    return new Subject(
        NAME,
        String.format(
            Locale.ROOT,
            "%d processes search a database of %d bases for %d queries",
            processes,
            database.bases(),
            queries),
        workflow,
        Subject.Programs.on(System.getenv().getOrDefault("PATH", "")),
        new Subject.Inputs(inputs, BlockSize.scaled(scale)),
        new Subject.Results(
            IntStream.range(0, processes).mapToObj(BlastWorkflow::hits).toList(),
            Subject.Check.BYTES));
  }
}
