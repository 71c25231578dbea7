package dev.weir.bench.wow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedWorkflowTest {
  private static final String ONE_TASK =
      """
      {"name": "Synthetic_Blast_200", "schemaVersion": "1.4", "workflow": {"tasks": [
        {"name": "blastall_1", "id": "1", "category": "blastall", "memoryInBytes": 17716740096.0,
         "command": {"program": "wfbench.py", "arguments": ["--percent-cpu 0.1", "--cpu-work 500"]},
         "files": [{"link": "output", "name": "out", "sizeInBytes": 1000}]}]}}
      """;

  @TempDir private Path directory;

  @Test
  void readsWorkIntoSeconds() throws IOException {
    Path below = Files.createDirectories(directory.resolve("setup/Synthetic_Blast_200"));
    Files.writeString(below.resolve("synthetic_blast_200-200.json"), ONE_TASK);
    Files.writeString(below.resolve("file_inputs.json"), "{}");

    List<GeneratedWorkflow> found = GeneratedWorkflow.below(directory);

    assertThat(found).extracting(GeneratedWorkflow::name).containsExactly("blast");
    Task task = found.get(0).workflow().tasks().get(0);
    assertThat(task.runtimeSeconds()).isEqualTo(2.5);
    assertThat(task.needs()).isEqualTo(TaskNeeds.UNKNOWN);
    assertThat(GeneratedWorkflow.seconds(List.of("wfbench.py", "--mem 5"))).isZero();
  }

  @Test
  void directoryWithoutGeneratedWorkflowsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GeneratedWorkflow.below(directory))
        .withMessageContaining("clone");
  }
}
