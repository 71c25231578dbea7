package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.wfformat.WfFormatReader;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MontageWorkflowTest {

  private final Survey survey = Survey.plan(SkySpec.ofTiles(16));
  private final Workflow workflow = MontageWorkflow.of(survey);
  private final WorkflowGraph graph = workflow.graph();

  @Test
  void everyTileAndOverlapHasATask() {
    Map<String, Long> counts =
        workflow.tasks().stream().collect(Collectors.groupingBy(Task::type, Collectors.counting()));
    assertThat(counts)
        .isEqualTo(
            Map.of(
                "mProject", 16L,
                "mImgtbl", 2L,
                "mOverlaps", 1L,
                "mDiffFit", 42L,
                "mConcatFit", 1L,
                "mBgModel", 1L,
                "mBackground", 16L,
                "mAdd", 1L,
                "mViewer", 1L));
  }

  @Test
  void readsTheSurveyAndWritesTheMosaic(@TempDir Path directory) throws Exception {
    SurveyFiles.write(survey, directory);
    Map<String, Long> written;
    try (var files = Files.list(directory)) {
      written =
          files.collect(
              Collectors.toMap(f -> f.getFileName().toString(), f -> f.toFile().length()));
    }
    assertThat(
            graph.workflowInputs().stream()
                .collect(Collectors.toMap(DataFile::id, DataFile::sizeBytes)))
        .isEqualTo(written);
    assertThat(graph.finalOutputs().stream().map(DataFile::id))
        .containsExactlyInAnyOrder("mosaic_area.fits", "mosaic.png");
  }

  @Test
  void overlapsDetermineTheConcatenatedFiles() {
    assertThat(graph.consumers("diffs.tbl").stream().map(Task::id))
        .containsExactly("mConcatFit_all");
    assertThat(graph.parents("mConcatFit_all")).hasSize(43);
  }

  @Test
  void everyFileIsUsed() {
    assertThat(workflow.files().keySet())
        .allSatisfy(
            file ->
                assertThat(
                        graph.consumers(file).size() + (graph.producer(file).isPresent() ? 1 : 0))
                    .isPositive());
  }

  @Test
  void roundTripsThroughItsFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("montage.json");
    WfFormatWriter.write(workflow, file);
    Workflow read = new WfFormatReader().read(Files.readAllBytes(file), "montage");
    assertThat(read.files()).isEqualTo(workflow.files());
    for (Task task : read.tasks()) {
      assertThat(task).isEqualTo(graph.task(task.id()));
    }
  }
}
