package dev.weir.bench.clouds;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.mosaic.MontageCommand;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.bench.shared.StagedRuns;
import dev.weir.bench.traces.ListSchedule;
import dev.weir.bench.traces.Scaling;
import dev.weir.bench.traces.WorkloadSize;
import dev.weir.cli.common.OptionSection;
import dev.weir.montage.MontagePrograms;
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

/** {@code weir bench clouds}. */
@Command(
    name = CloudsCommand.NAME,
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs Montage with the storage of intermediate files that a study of Montage in clouds"
          + " compared (Berriman, Juve, Deelman and others), on a local cluster with shaped links:"
          + " an object store, nodes' own storage, and the submit host.",
      "Needs root, iproute2, rclone and openssh-server, and for the workflow mosaic the Montage"
          + " programs.",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench clouds",
      "  weir bench clouds --workflows degrees --setups object-store,weir --repeat 1",
      "  weir bench clouds --repeat 3 --minutes 170 --out OUT",
      "  weir bench clouds --repeat 3 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = "--workflows --setups --share --seconds --tiles --withhold-sizes")
public final class CloudsCommand implements Callable<Integer> {
  static final String NAME = "clouds";

  private static final String REMARK =
      "One task at a time on each node. 'object-store' is S3Proxy and 'submit-host' OpenSSH's SFTP"
          + " server, both on the master's node behind one link. A FIFO dispatcher without cost"
          + " runs their tasks; for each task one rclone copies all inputs from the server, and one"
          + " copies all outputs to it, a file at a time or (-5) five.";

  /** Set by benchmarks/run. */
  private static final Path S3PROXY = Path.of(System.getProperty("weir.s3proxy", "s3proxy"));

  private static final String DEGREES = "degrees";
  private static final String CONCAT = "concat";
  private static final String MOSAIC = "mosaic";
  private static final List<String> NAMES = List.of(DEGREES, CONCAT, MOSAIC);

  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options =
      new ComparisonOptions(
          8,
          "object-store,object-store-5,submit-host,submit-host-5,stock-r3,stock-r1,weir",
          Setup.STAGED);

  @Option(
      names = "--workflows",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "degrees,concat,mosaic",
      description = {
        "degrees: the tasks of 8 degrees, as stand-ins that read and write the published bytes and"
            + " sleep for the published seconds.",
        "concat: its mConcatFit with all 6,173 inputs.",
        "mosaic: the Montage programs (default: ${DEFAULT-VALUE})."
      })
  private List<String> names;

  @Option(
      names = "--share",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "Of the images of 8 degrees, and of the tasks for each, 1 in N is taken (default:"
              + " ${DEFAULT-VALUE}).")
  private int share;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "Bytes and seconds of degrees are scaled by one factor, at most 1, with which it is"
              + " computed to take this long on stock Hadoop (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--tiles",
      paramLabel = "N",
      defaultValue = "64",
      description = "Tiles of mosaic, of 400 x 400 pixels (default: ${DEFAULT-VALUE}).")
  private int tiles;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(seconds > 0) || !Double.isFinite(seconds) || share < 1 || share > 100) {
      throw new IllegalArgumentException(
          "Give --seconds more than 0 and --share 1 to 100: " + seconds + ", " + share);
    }
    if (!NAMES.containsAll(names)) {
      throw new IllegalArgumentException(
          "--workflows " + names + ": write some of " + String.join(",", NAMES));
    }
    return new ComparisonBench(
            options, spec.commandLine().getErr(), site -> StagedRuns.start(site, S3PROXY))
        .run(
            SeriesParameters.none()
                .with("share", share)
                .with("seconds", seconds)
                .with("tiles", tiles),
            new ComparisonBench.Heading(NAME, "Storage of Montage in clouds", REMARK),
            needs(),
            this::subjects);
  }

  private ExperimentRequirements needs() {
    List<String> missing = new ArrayList<>();
    if (options.setups().stream().anyMatch(Setup::isForeign)) {
      missing.addAll(StagedRuns.missing(S3PROXY));
    }
    if (names.contains(MOSAIC)) {
      missing.addAll(MontagePrograms.missing(System.getenv()));
    }
    return new ExperimentRequirements(missing, MontagePrograms.INSTALL + "; " + StagedRuns.INSTALL);
  }

  private List<Subject> subjects(Path scratch) throws IOException, InterruptedException {
    List<Subject> subjects = new ArrayList<>();
    for (String name : names) {
      Path inputs = scratch.resolve(name);
      subjects.add(
          switch (name) {
            case DEGREES -> degrees(inputs);
            case CONCAT ->
                standIns(
                    CONCAT,
                    "mConcatFit of 8 degrees with its 6,173 inputs, which other tasks write",
                    EightDegreeMontage.concatenation(2 * options.nodes()),
                    inputs);
            default -> MontageCommand.mosaic(tiles, inputs);
          });
    }
    return subjects;
  }

  private Subject degrees(Path inputs) throws IOException {
    Workflow published = EightDegreeMontage.share(share);
    WorkloadSize size = WorkloadSize.of(published);
    Scaling scaling =
        Scaling.fitting(seconds, size.stockSeconds(options.nodes(), options.bytesPerSecond()));
    String about =
        String.format(
            Locale.ROOT,
            "1 in %d of the images of 8 degrees, difference images temporary: %s; bytes and seconds times %s",
            share,
            size.summary(),
            scaling.bytes());
    return standIns(DEGREES, about, scaling.of(published), inputs);
  }

  private Subject standIns(String name, String about, Workflow workflow, Path inputs)
      throws IOException {
    Subject.makeInputs(workflow, Files.createDirectories(inputs));
    return new Subject(
        name,
        about,
        workflow,
        Subject.Programs.STAND_INS,
        new Subject.Inputs(inputs, BlockSize.DEFAULT),
        Subject.Results.NONE,
        ListSchedule.seconds(workflow, options.nodes()));
  }
}
