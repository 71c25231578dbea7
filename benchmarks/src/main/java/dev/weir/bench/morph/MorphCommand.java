package dev.weir.bench.morph;

import dev.weir.bench.disks.DiskRate;
import dev.weir.bench.disks.ThrottledDisks;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.series.SeriesException;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Usage;
import dev.weir.cluster.plan.ProgramLookup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench morph}. */
@Command(
    name = MorphCommand.NAME,
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs the two workloads of MorphStore's evaluation (MSST 2014) on a local cluster whose disks"
          + " are limited: whole reads of files of unlike popularity, and some writes, by few and"
          + " by many threads. Compares fixed numbers of replicas with those by use.",
      "Needs root and control groups of version 1 (blkio, memory).",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench morph --repeat 1",
      "  weir bench morph --workloads video --setups mirror-4,weir --budgets 2.2",
      "  weir bench morph --minutes 170 --out OUT",
      "  weir bench morph --minutes 170 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = "--workloads --setups --budgets --files --file --threads")
@OptionSection(heading = "Cluster", options = "--nodes --disk")
@OptionSection(
    heading = "Series",
    options = "--seconds --repeat --resume --minutes --run-minutes --out")
public final class MorphCommand implements Callable<Integer> {
  static final String NAME = "morph";

  /** A change means that earlier runs cannot be compared with new ones. */
  private static final int METHOD = 1;

  @Spec private CommandSpec spec;

  @Mixin private SeriesOptions series = new SeriesOptions();

  @Option(
      names = "--workloads",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "video,mongodb",
      description = "Of video and mongodb (default: ${DEFAULT-VALUE}).")
  private List<String> workloads;

  @Option(
      names = "--setups",
      paramLabel = "SETUP",
      split = ",",
      defaultValue =
          "jbod,mirror-2,mirror-3,mirror-4,stripe,scarlett,weir-laas,weir-udr,weir,ideal",
      description = "Default: ${DEFAULT-VALUE}.")
  private List<String> setups;

  @Option(
      names = "--budgets",
      paramLabel = "F",
      split = ",",
      description =
          "Stored bytes of scarlett, weir-udr, weir and ideal, as multiples of one replica of each"
              + " file (default: the published 1.2,1.6,2.2 for video and 1.25,1.75,2.5 for"
              + " mongodb).")
  private List<Double> budgets = List.of();

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "24",
      description = "Number of files (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--file",
      paramLabel = "MIB",
      defaultValue = "32",
      description =
          "Size of a file; the client reads files from 32 MiB from several replicas (default:"
              + " ${DEFAULT-VALUE}).")
  private int file;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,4,16",
      description = "Levels of load (default: ${DEFAULT-VALUE}).")
  private List<Integer> threads;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Nodes, each with a disk (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--disk",
      paramLabel = "RATE",
      defaultValue = "32,400",
      description = "MB and operations a second of a disk (default: ${DEFAULT-VALUE}).")
  private String disk;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "6",
      description = "Time of each level (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "Repetitions of each (default: ${DEFAULT-VALUE}), including those of the series.")
  private int repeat;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "weir-bench/${COMMAND-NAME}",
      description = "The directory of tables, page and records (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    MorphBench.Plan plan = Usage.checked(spec, this::plan);
    try (MorphBench bench = new MorphBench(plan, series.runLimit())) {
      return SeriesSession.run(
          new SeriesSession.Place(out, series, spec.commandLine().getErr()),
          MorphRun.class,
          () -> {
            requireDisks();
            return parameters(plan);
          },
          bench);
    }
  }

  private static void requireDisks() throws IOException {
    new ExperimentRequirements(
            ProgramLookup.missing(ThrottledDisks.PROGRAMS),
            "apt-get install util-linux mount e2fsprogs")
        .check();
    Optional<String> lack = ThrottledDisks.lack();
    if (lack.isPresent()) {
      throw new SeriesException(lack.get());
    }
  }

  private MorphBench.Plan plan() {
    if (files < 1 || file < 1 || nodes < 1 || seconds < 1 || repeat < 1) {
      throw new IllegalArgumentException(
          "--files, --file, --nodes, --seconds and --repeat are numbers: give 1 or more");
    }
    if (threads.stream().anyMatch(number -> number < 1)
        || budgets.stream().anyMatch(budget -> !(budget >= 1))) {
      throw new IllegalArgumentException("Give --threads and --budgets of 1 or more");
    }
    Map<MorphWorkload, List<MorphSetup>> all = new LinkedHashMap<>();
    for (String name : workloads) {
      MorphWorkload workload = MorphWorkload.ofLabel(name);
      all.put(
          workload, MorphSetup.of(setups, budgets.isEmpty() ? workload.budgets() : budgets, nodes));
    }
    return new MorphBench.Plan(
        out,
        nodes,
        new MorphRunner.Scale(
            files,
            (long) file << 20,
            DiskRate.parse(disk),
            Duration.ofSeconds(seconds),
            threads.stream().sorted().toList()),
        all,
        repeat);
  }

  private SeriesParameters parameters(MorphBench.Plan plan) {
    return SeriesParameters.none()
        .withEnvironment()
        .with("bench", NAME)
        .with("method", METHOD)
        .with("nodes", nodes)
        .with("disk", plan.scale().rate())
        .with("files", files)
        .with("file", file)
        .with("threads", plan.scale().threads())
        .with("seconds", seconds);
  }
}
