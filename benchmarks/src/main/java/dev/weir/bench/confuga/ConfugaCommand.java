package dev.weir.bench.confuga;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Usage;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench confuga}. */
@Command(
    name = ConfugaCommand.NAME,
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs the workflows of Confuga's evaluation (Donnelly and Thain, 2016) on a local cluster"
          + " with shaped links, from the same Makeflow files: with Confuga, which runs on the same"
          + " nodes, and with Weir.",
      "Needs root, iproute2, Debian's coop-computing-tools, openmpi-bin, sqlite3 and openssl, and"
          + " bwa for the workflow of that name.",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench confuga --workflows a --nodes 19 --setups confuga-push,confuga-pull,weir",
      "  weir bench confuga --workflows c --repeat 1",
      "  weir bench confuga --workflows c --repeat 3 --resume"
    })
@OptionSection(heading = "What to run", options = "--workflows --setups --seconds --withhold-sizes")
public final class ConfugaCommand implements Callable<Integer> {
  static final String NAME = "confuga";

  private static final String REMARK =
      "One task at a time on each node. All systems read the same Makeflow file, which has no"
          + " sizes. Confuga (CCTools of Debian) is new in each run; its start is not counted."
          + " 'confuga-push' pushes all files, 'confuga-pull' pulls all, 'confuga-threshold' pulls"
          + " the smaller ones; its other options have their defaults.";

  private static final String BWA = "bwa";

  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options =
      new ComparisonOptions(8, "confuga-push,confuga-threshold,confuga-pull,weir", Setup.CONFUGA);

  @Option(
      names = "--workflows",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "a,b,c,ialr,bwa",
      description = "Of a, b, c, ialr, bwa (default: ${DEFAULT-VALUE}).")
  private List<String> names;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "8",
      description =
          "The shared files take a link this long; BWA's index a quarter of it (default:"
              + " ${DEFAULT-VALUE}).")
  private double seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(seconds > 0) || !Double.isFinite(seconds)) {
      throw new IllegalArgumentException("Give --seconds more than 0");
    }
    List<ConfugaWorkflow> workflows =
        Usage.checked(spec, () -> names.stream().map(ConfugaWorkflow::of).toList());
    return new ComparisonBench(
            options,
            spec.commandLine().getErr(),
            site -> new ConfugaRuns(site, ConfugaWorkflow.threshold(bytes())))
        .run(
            SeriesParameters.none().with("seconds", seconds),
            new ComparisonBench.Heading(NAME, "The workflows of Confuga", REMARK),
            needs(workflows),
            scratch -> subjects(workflows, scratch));
  }

  private long bytes() {
    return (long) (seconds * options.bytesPerSecond());
  }

  private ExperimentRequirements needs(List<ConfugaWorkflow> workflows) {
    List<String> missing = new ArrayList<>();
    if (options.setups().stream().anyMatch(Setup::isForeign)) {
      missing.addAll(ProgramLookup.missing(ConfugaCluster.PROGRAMS));
    }
    if (workflows.contains(ConfugaWorkflow.BWA)) {
      missing.addAll(ProgramLookup.missing(List.of(BWA)));
    }
    return new ExperimentRequirements(missing, ConfugaCluster.INSTALL + " " + BWA);
  }

  private List<Subject> subjects(List<ConfugaWorkflow> workflows, Path scratch) throws IOException {
    List<Subject> subjects = new ArrayList<>();
    for (ConfugaWorkflow workflow : workflows) {
      subjects.add(subject(workflow, Files.createDirectories(scratch.resolve(workflow.label()))));
    }
    return subjects;
  }

  private Subject subject(ConfugaWorkflow workflow, Path inputs) throws IOException {
    Path file = inputs.resolve(workflow.label() + ConfugaWorkflow.ENDING);
    Files.writeString(file, workflow.makeflow(bytes()));
    Workflow read = Importers.standard().read(file, ImportSettings.NONE).workflow();
    workflow.makeInputs(inputs, bytes());
    return new Subject(
        workflow.label(),
        String.format(
            Locale.ROOT,
            "%d tasks; %.1f s of a link are %.1f MB",
            read.tasks().size(),
            seconds,
            bytes() / 1e6),
        read,
        Subject.Programs.on(System.getenv().getOrDefault("PATH", "")),
        new Subject.Inputs(inputs, BlockSize.DEFAULT),
        new Subject.Results(
            read.graph().finalOutputs().stream().map(DataFile::id).toList(), Subject.Check.BYTES));
  }
}
