package dev.weir.workflow.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.GivenFiles;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.wfformat.WfFormatReader;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Reads published recordings of workflows unchanged. They are not part of this project: {@code
 * -Dweir.recordings=DIR} names their directory.
 */
class RecordingsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<Path> recordings() throws IOException {
    return GivenFiles.of("weir.recordings", ".json");
  }

  @Test
  void readsTasksCommandsAndOrder() throws IOException {
    for (Path file : recordings()) {
      ImportedWorkflow imported = Importers.standard().read(file, ImportSettings.NONE);
      WorkflowGraph graph = imported.workflow().graph();
      JsonNode recorded = JSON.readTree(file.toFile()).at("/workflow/specification/tasks");

      assertThat(imported.format()).as("%s", file).isEqualTo("wfformat");
      assertThat(imported.workflow().tasks()).as("%s", file).hasSameSizeAs(recorded);
      for (JsonNode task : recorded) {
        String id = task.path("id").asText();
        assertThat(graph.task(id).command()).as("%s: %s", file, id).isNotEmpty();
        Set<String> parents = new TreeSet<>();
        task.path("parents").forEach(parent -> parents.add(parent.asText()));
        assertThat(parentsOf(graph, id)).as("%s: %s", file, id).isEqualTo(parents);
      }
    }
  }

  private static Set<String> parentsOf(WorkflowGraph graph, String id) {
    return graph.parents(id).stream().map(Task::id).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void roundTrip() throws IOException {
    for (Path file : recordings()) {
      Workflow workflow = Importers.standard().read(file, ImportSettings.NONE).workflow();
      byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);

      assertThat(new WfFormatReader().read(written, "written")).as("%s", file).isEqualTo(workflow);
    }
  }

  @Test
  void infersHints() throws IOException {
    for (Path file : recordings()) {
      Workflow workflow = Importers.standard().read(file, ImportSettings.NONE).workflow();

      assertThat(HintInference.infer(workflow, "/data", new ClusterShape(6, 3)))
          .as("%s", file)
          .isNotEmpty()
          .allSatisfy(rule -> assertThat(rule.reason()).isNotBlank());
    }
  }
}
