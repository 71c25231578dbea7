package dev.weir.bench.traces;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Usage;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "traces",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Replays recordings of workflows on a local cluster with shaped links: stand-ins read and"
          + " write the recorded bytes, and sleep for the recorded time in between, both scaled.",
      "In turns with stock Hadoop, with Weir's dispatch only and with all of Weir. Needs root and"
          + " iproute2.",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench traces DIR",
      "  weir bench traces DIR --instances montage-chameleon-dss-10d-001 --seconds 60",
      "  weir bench traces DIR --repeat 7 --minutes 170 --out OUT",
      "  weir bench traces DIR --repeat 7 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = "--instances --setups --seconds --scale --time-scale --withhold-sizes")
public final class TracesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options = new ComparisonOptions(7, "stock-r3,stock-r1,weir", List.of());

  @Parameters(
      paramLabel = "DIR",
      description =
          "Directory tree with recordings in WfFormat, such as a clone of"
              + " https://github.com/wfcommons/wfinstances.")
  private Path directory;

  @Option(
      names = "--instances",
      paramLabel = "NAME",
      split = ",",
      defaultValue =
          "montage-chameleon-2mass-01d-001,epigenomics-chameleon-hep-1seq-100k-001,"
              + "1000genome-chameleon-2ch-100k-001,soykb-chameleon-10fastq-10ch-001,"
              + "srasearch-chameleon-10a-001,blast-chameleon-small-001,bwa-chameleon-small-001",
      description =
          "Files in DIR and its directories, without extension, or 'all' (default:"
              + " ${DEFAULT-VALUE}). Of two with one name: the path below DIR.")
  private List<String> instances;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "25",
      description =
          "Bytes and seconds of a recording are scaled by one factor, at most 1, with which it is"
              + " computed to take this long on stock Hadoop (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--scale",
      paramLabel = "F",
      description = "Factor of the recorded bytes; overrides --seconds.")
  private @Nullable Double scale;

  @Option(
      names = "--time-scale",
      paramLabel = "F",
      description = "Factor of the recorded seconds (default: that of the bytes).")
  private @Nullable Double timeScale;

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireScales();
    List<Path> files = Usage.checked(spec, () -> RecordingFiles.below(directory).named(instances));
    SeriesParameters parameters =
        SeriesParameters.none()
            .with("seconds", seconds)
            .with("scale", scale)
            .with("time-scale", timeScale);
    return new ComparisonBench(options, spec.commandLine().getErr())
        .run(
            parameters,
            new ComparisonBench.Heading(
                "traces",
                "Recorded workflows",
                "One task at a time on each node; stand-ins read and write the recorded bytes and"
                    + " sleep for the recorded seconds, scaled as given, the blocks of inputs"
                    + " too."),
            ExperimentRequirements.LINKS,
            scratch -> subjects(files, scratch));
  }

  private void requireScales() {
    if (isNone(seconds) || isNone(scale)) {
      throw new IllegalArgumentException("Give --seconds and --scale more than 0");
    }
    if (timeScale != null && (timeScale < 0 || !Double.isFinite(timeScale))) {
      throw new IllegalArgumentException("Give --time-scale 0 or more");
    }
  }

  private static boolean isNone(@Nullable Double factor) {
    return factor != null && (!(factor > 0) || Double.isInfinite(factor));
  }

  private List<Subject> subjects(List<Path> files, Path scratch) throws IOException {
    List<Subject> subjects = new ArrayList<>();
    for (Path file : files) {
      subjects.add(subject(Recording.read(file), scratch));
    }
    return subjects;
  }

  private Subject subject(Recording recording, Path scratch) throws IOException {
    WorkloadSize recorded = WorkloadSize.of(recording.workflow());
    Scaling scaling = scaling(recorded);
    Workflow workflow = scaling.of(recording.workflow());
    double withoutData = ListSchedule.seconds(workflow, options.nodes());
    Path inputs = Files.createDirectories(scratch.resolve(recording.name()));
    Subject.makeInputs(workflow, inputs);
    return new Subject(
        recording.name(),
        about(recording, recorded, scaling, withoutData),
        workflow,
        Subject.Programs.STAND_INS,
        new Subject.Inputs(inputs, BlockSize.scaled(scaling.bytes())),
        Subject.Results.NONE,
        withoutData);
  }

  private Scaling scaling(WorkloadSize recorded) {
    Scaling fit =
        Scaling.fitting(seconds, recorded.stockSeconds(options.nodes(), options.bytesPerSecond()));
    double bytes = scale == null ? fit.bytes() : scale;
    return new Scaling(bytes, timeScale == null ? bytes : timeScale);
  }

  private static String about(
      Recording recording, WorkloadSize recorded, Scaling scaling, double withoutData) {
    return String.format(
        Locale.ROOT,
        "%s (%.0f s on the longest way); bytes times %s, seconds times %s, which take %.1f s"
            + " without data%s",
        recorded.summary(),
        recorded.criticalPathSeconds(),
        scaling.bytes(),
        scaling.time(),
        withoutData,
        recording.note().isEmpty() ? "" : "; " + recording.note());
  }
}
