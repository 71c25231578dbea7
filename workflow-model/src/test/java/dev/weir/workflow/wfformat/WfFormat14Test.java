package dev.weir.workflow.wfformat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WfFormat14Test {
  /** Two tasks as a generator writes them: successors are named, and sizes are repeated. */
  private static final String GENERATED =
      """
      {"name": "generated", "schemaVersion": "1.4", "wms": {"name": "WfCommons"},
       "workflow": {"executedAt": "2024-01-10T17:23:19+01:00", "makespanInSeconds": 0, "tasks": [
        {"name": "project_00000001", "type": "compute", "id": "00000001", "category": "project",
         "command": {"program": "wfbench.py", "arguments": ["--cpu-work 500", "in.fits"]},
         "parents": [], "children": ["view_00000002"], "cores": 2, "memoryInBytes": 1000.0,
         "files": [{"link": "output", "name": "out.fits", "sizeInBytes": 1207383572},
                   {"link": "input", "name": "in.fits", "sizeInBytes": 529877062}]},
        {"name": "view_00000002", "type": "compute", "id": "00000002", "category": "view",
         "parents": ["project_00000001"], "children": [], "runtimeInSeconds": 1.5,
         "files": [{"link": "input", "name": "out.fits", "sizeInBytes": 1207383572},
                   {"link": "output", "name": "view.png", "sizeInBytes": 7}]}]}}
      """;

  private static Workflow read(String text) throws WorkflowException {
    return new WfFormatReader().read(text.getBytes(StandardCharsets.UTF_8), "flow.json");
  }

  @Test
  void readsTasksWithTheirFilesCommandsAndOrder() throws WorkflowException {
    Workflow workflow = read(GENERATED);

    assertThat(workflow.name()).isEqualTo("generated");
    assertThat(workflow.tasks())
        .containsExactly(
            new Task(
                "00000001",
                "project",
                List.of("wfbench.py", "--cpu-work 500", "in.fits"),
                List.of("in.fits"),
                List.of("out.fits"),
                List.of(),
                0,
                new TaskNeeds(2, 1000, 0)),
            new Task(
                "00000002",
                "view",
                List.of(),
                List.of("out.fits"),
                List.of("view.png"),
                List.of(),
                1.5));
    assertThat(workflow.files().values())
        .containsExactlyInAnyOrder(
            new DataFile("in.fits", 529_877_062),
            new DataFile("out.fits", 1_207_383_572),
            new DataFile("view.png", 7));
  }

  @Test
  void commonNamesOfTasksAreTypes() throws WorkflowException {
    Workflow workflow =
        read(
            GENERATED
                .replaceAll("\"category\": \"[a-z]*\"", "\"machine\": \"m\"")
                .replaceAll("_0000000[12]\", \"type", "\", \"type")
                .replace("\"view_00000002\"", "\"00000002\"")
                .replace("\"project_00000001\"", "\"00000001\""));

    assertThat(workflow.tasks()).extracting(Task::type).containsExactly("project", "view");
  }

  @Test
  void errorsSayThatTheFileWasConverted() {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(GENERATED.replace("\"sizeInBytes\": 7", "\"sizeInBytes\": -7")))
        .withMessageContaining("flow.json (converted from 1.4 to 1.5)")
        .withMessageContaining("-7");
  }
}
