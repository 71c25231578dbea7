package dev.weir.bench.confuga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfugaWorkflowTest {
  private static final long BYTES = 44_800;

  @TempDir Path directory;

  private Workflow read(ConfugaWorkflow workflow) throws IOException {
    Path file = Files.writeString(directory.resolve("w.makeflow"), workflow.makeflow(BYTES));
    return Importers.standard().read(file, ImportSettings.NONE).workflow();
  }

  @ParameterizedTest
  @CsvSource({"A,26,25", "B,50,25", "C,32,25", "IALR,26,1", "BWA,826,1"})
  void weirReadsTheMakeflowFile(ConfugaWorkflow workflow, int tasks, int results)
      throws IOException {
    Workflow read = read(workflow);

    assertThat(read.tasks()).hasSize(tasks);
    assertThat(read.graph().finalOutputs()).hasSize(results);
    assertThat(ConfugaWorkflow.of(workflow.label())).isEqualTo(workflow);
  }

  @Test
  void typesAreTheCategories() throws IOException {
    assertThat(read(ConfugaWorkflow.IALR).tasks())
        .extracting(Task::type)
        .containsOnly("split", "align", "join");
  }

  @Test
  void groupsOfFilesHaveTheSameTotalSize() throws IOException {
    assertThat(ConfugaWorkflow.C.makeflow(BYTES))
        .contains("yes data-64.000 | head -c 6400 > data-64.000\n")
        .contains("yes data-1.063 | head -c 100 > data-1.063\n");
    assertThat(ConfugaWorkflow.threshold(BYTES)).isEqualTo(800);
  }

  @ParameterizedTest
  @CsvSource({"A", "IALR", "BWA"})
  void inputsExist(ConfugaWorkflow workflow) throws IOException {
    workflow.makeInputs(directory, BYTES);

    assertThat(read(workflow).graph().workflowInputs())
        .extracting(DataFile::id)
        .allSatisfy(input -> assertThat(directory.resolve(input)).isNotEmptyFile());
  }

  @Test
  void readsFillAllParts() throws IOException {
    ConfugaWorkflow.BWA.makeInputs(directory, BYTES);

    assertThat(Files.readAllLines(directory.resolve(ConfugaWorkflow.READS)))
        .hasSize(ConfugaWorkflow.PARTS * ConfugaWorkflow.LINES_PER_PART);
  }

  @Test
  void unknownNameIsAnsweredWithAllNames() {
    assertThatThrownBy(() -> ConfugaWorkflow.of("d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a,b,c,ialr,bwa");
  }
}
