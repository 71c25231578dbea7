package dev.weir.bench.mosaic;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.cli.common.OptionSection;
import dev.weir.montage.FitsComparison;
import dev.weir.montage.MontagePrograms;
import dev.weir.montage.MontageWorkflow;
import dev.weir.montage.SkySpec;
import dev.weir.montage.Survey;
import dev.weir.montage.SurveyFiles;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "montage",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Makes mosaics of the demo's synthetic sky with the Montage programs on a local cluster with"
          + " shaped links, in turns with stock Hadoop, with Weir's dispatch only and with all of"
          + " Weir. All mosaics of one size must have the same pixels.",
      "Needs root, iproute2 and the Montage programs (" + MontagePrograms.INSTALL + ").",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench montage --nodes 4 --tiles 16 --repeat 1",
      "  weir bench montage --tiles 25,64 --repeat 7 --minutes 170 --out OUT",
      "  weir bench montage --tiles 25,64 --repeat 7 --minutes 50 --out OUT --resume"
    })
@OptionSection(heading = "What to run", options = "--tiles --setups --withhold-sizes")
public final class MontageCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options =
      new ComparisonOptions(6, "stock-r3,stock-r1,dispatch-r3,weir", List.of());

  @Option(
      names = "--tiles",
      paramLabel = "N",
      split = ",",
      defaultValue = "25,64,144",
      description =
          "Tiles of 400 x 400 pixels; one mosaic for each number (default:" + " ${DEFAULT-VALUE}).")
  private List<Integer> tiles;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return new ComparisonBench(options, spec.commandLine().getErr())
        .run(
            SeriesParameters.none(),
            new ComparisonBench.Heading(
                "montage", "Montage mosaics", "Real programs; all nodes share the processors."),
            new ExperimentRequirements(
                MontagePrograms.missing(System.getenv()), MontagePrograms.INSTALL),
            this::mosaics);
  }

  private List<Subject> mosaics(Path scratch) throws IOException, InterruptedException {
    List<Subject> subjects = new ArrayList<>();
    for (int count : tiles) {
      subjects.add(mosaic(count, scratch.resolve(String.valueOf(count))));
    }
    return subjects;
  }

  /**
   * Creates a mosaic.
   *
   * @param sky a directory for its inputs
   */
  public static Subject mosaic(int tiles, Path sky) throws IOException, InterruptedException {
    Survey survey = Survey.plan(SkySpec.ofTiles(tiles));
    SurveyFiles.write(survey, sky);
    Workflow workflow = MontageWorkflow.of(survey);
    return new Subject(
        "montage-" + tiles,
        workflow.tasks().size() + " tasks of the Montage programs",
        workflow,
        Subject.Programs.on(System.getenv().getOrDefault("PATH", "")),
        new Subject.Inputs(sky, BlockSize.DEFAULT),
        new Subject.Results(List.of(MontageWorkflow.MOSAIC), MontageCommand::difference));
  }

  /** Compares pixels only, because a header may contain the time of writing. */
  private static Optional<String> difference(Path expected, Path actual) throws IOException {
    FitsComparison comparison = FitsComparison.compare(expected, actual);
    return comparison.identical() ? Optional.empty() : Optional.of(comparison.toString());
  }
}
