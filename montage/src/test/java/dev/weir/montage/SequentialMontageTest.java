package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nom.tam.fits.Fits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the real programs on small tiles; skipped, with the reason, where they are not installed.
 */
class SequentialMontageTest {

  @TempDir private Path directory;

  private final Survey survey = Survey.plan(new SkySpec(4, 150, 5));
  private final Workflow workflow = MontageWorkflow.of(survey);

  @BeforeEach
  void requirePrograms() {
    assumeThat(MontagePrograms.missing(System.getenv()))
        .as("Montage programs that are not on the PATH: %s", MontagePrograms.INSTALL)
        .isEmpty();
  }

  @Test
  void mosaicIsFlatAndReproducible() throws Exception {
    Path first = mosaic("first");
    Path second = mosaic("second");
    assertThat(FitsComparison.compare(first, second).identical()).isTrue();

    double[] pixels;
    try (Fits fits = new Fits(first.toFile())) {
      double[][] rows = (double[][]) fits.readHDU().getKernel();
      pixels =
          Arrays.stream(rows).flatMapToDouble(Arrays::stream).filter(Double::isFinite).toArray();
    }
    Arrays.sort(pixels);
    assertThat(pixels[pixels.length * 9 / 10] - pixels[pixels.length / 10])
        .as("counts between the tenths; the tiles' levels lie up to 40 apart")
        .isLessThan(12);
    assertThat(pixels[pixels.length - 1]).as("the brightest star").isGreaterThan(200);
  }

  @Test
  void imagesAndTablesHaveTheirDeclaredSizes() throws Exception {
    Path data = mosaic("sizes").resolveSibling("");
    for (DataFile file : workflow.files().values()) {
      long real = Files.size(data.resolve(file.id()));
      double tolerance = file.id().endsWith(".fits") ? 0.02 : 0.5;
      assertThat((double) real)
          .as(file.id())
          .isCloseTo((double) file.sizeBytes(), withinPercentage(100 * tolerance));
    }
    assertThat(data.resolve("mosaic.fits"))
        .hasSize(workflow.graph().file("mosaic.fits").sizeBytes());
  }

  @Test
  void mOverlapsFindsTheExpectedPairs() throws Exception {
    Path data = mosaic("pairs").resolveSibling("");
    List<String> rows =
        Files.readAllLines(data.resolve("diffs.tbl")).stream()
            .filter(line -> !line.startsWith("|"))
            .map(line -> line.strip().replaceAll("\\s+", " "))
            .toList();
    assertThat(rows)
        .isEqualTo(
            survey.overlaps().stream()
                .map(
                    pair ->
                        String.join(
                            " ",
                            Integer.toString(pair.first()),
                            Integer.toString(pair.second()),
                            survey.tiles().get(pair.first()).projected(),
                            survey.tiles().get(pair.second()).projected(),
                            pair.difference()))
                .toList());
  }

  @Test
  void missingFitOfAnOverlapIsAFailure() throws Exception {
    Path data = Files.createDirectory(directory.resolve("gap"));
    Files.writeString(
        data.resolve("diffs.tbl"),
        """
        | cntr1 | cntr2 | plus | minus | diff |
        | int   | int   | char | char  | char |
               0       1 a b d
               0       2 a c e
        """);
    Files.writeString(data.resolve("fit.0.1.txt"), "[struct stat=\"OK\"]\n");
    Task concat = workflow.graph().task("mConcatFit_all");
    assertThatThrownBy(() -> runAlone(concat, List.of("diffs.tbl", "fit.0.1.txt"), data))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tiles 0 and 2 overlap, but there is no fit.0.2.txt")
        .hasMessageContaining("2 overlaps, but 6 were fitted");
  }

  private void runAlone(Task task, List<String> inputs, Path data)
      throws IOException, InterruptedException {
    Task alone = new Task(task.id(), task.type(), task.command(), inputs, task.outputs(), 0);
    Map<String, DataFile> files = new LinkedHashMap<>();
    inputs.forEach(input -> files.put(input, new DataFile(input, 1)));
    task.outputs().forEach(output -> files.put(output, new DataFile(output, 1)));
    new SequentialRun(data, directory.resolve("alone"), System.getenv())
        .run(new Workflow("alone", List.of(alone), files), started -> {});
  }

  private Path mosaic(String name) throws IOException, InterruptedException {
    Path data = directory.resolve(name).resolve("data");
    SurveyFiles.write(survey, data);
    new SequentialRun(data, directory.resolve(name).resolve("boxes"), System.getenv())
        .run(workflow, started -> {});
    return data.resolve(MontageWorkflow.MOSAIC);
  }
}
