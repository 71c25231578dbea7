package dev.weir.workflow.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workflows inside of workflows, in all formats that have them. */
class SubWorkflowTest {

  private static final String JX =
      """
      {"rules": [
        {"command": "make > in.txt", "outputs": ["in.txt"]},
        {"workflow": "sub.jx", "args": {"N": 2, "WORD": "a\\"b"},
         "inputs": ["in.txt"], "outputs": ["all.txt"]},
        {"command": "wc all.txt > end.txt", "inputs": ["all.txt"], "outputs": ["end.txt"]}]}
      """;

  private static final String SUB_JX =
      """
      {"rules": [
        {"command": "part " + I + " " + WORD, "inputs": ["in.txt"], "outputs": ["part." + I]}
          for I in range(N),
        {"command": "cat part.* > all.txt", "inputs": ["part." + I for I in range(N)], "outputs": ["all.txt"]}]}
      """;

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private ImportedWorkflow read(String name) throws WorkflowException {
    return Importers.standard().read(directory.resolve(name), ImportSettings.NONE);
  }

  private void refused(String name, String... parts) {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(name))
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  private static List<String> ids(Workflow workflow) {
    return workflow.tasks().stream().map(Task::id).toList();
  }

  @Test
  void jxWorkflowsThatExistAreExpandedWithTheirArguments() throws IOException {
    write("w.jx", JX);
    write("sub.jx", SUB_JX);

    Workflow workflow = read("w.jx").workflow();

    assertThat(ids(workflow))
        .containsExactly(
            "make-1", "wc-3", "workflow-2.part-1", "workflow-2.part-2", "workflow-2.cat-3");
    assertThat(workflow.tasks().get(3).command()).last().asString().isEqualTo("part 1 a\"b");
    assertThat(workflow.files().keySet())
        .as("the file of the sub-workflow is not needed any more")
        .containsExactlyInAnyOrder("in.txt", "all.txt", "end.txt", "part.0", "part.1");
    assertThat(workflow.graph().parents("wc-3"))
        .extracting(Task::id)
        .containsExactly("workflow-2.cat-3");
  }

  @Test
  void workflowsThatATaskMakesRemainForTheRun() throws IOException {
    write("w.jx", JX.replace("\"outputs\": [\"in.txt\"]", "\"outputs\": [\"in.txt\", \"sub.jx\"]"));
    write("sub.jx", "stale");

    Task task = read("w.jx").workflow().tasks().get(1);

    assertThat(task.inputs()).containsExactly("sub.jx", "in.txt");
    assertThat(task.outputs()).containsExactly("all.txt");
    assertThat(SubWorkflow.of(task.command()))
        .contains(new SubWorkflow("sub.jx", Map.of("N", "2", "WORD", "\"a\\\"b\"")));
  }

  @Test
  void pegasusSubWorkflowsKeepTheirPlaceInTheOrder() throws IOException {
    write(
        "w.yml",
        """
        pegasus: "5.0"
        name: outer
        transformationCatalog:
          transformations:
            - {name: t, sites: [{name: local, pfn: /bin/true, type: installed}]}
        jobs:
          - {type: job, id: first, name: t, arguments: []}
          - {type: pegasusWorkflow, id: sub, file: sub.yml, arguments: [], uses: [{lfn: sub.yml, type: input}]}
          - {type: job, id: last, name: t, arguments: []}
        jobDependencies:
          - {id: first, children: [sub]}
          - {id: sub, children: [last]}
        """);
    write(
        "sub.yml",
        """
        pegasus: "5.0"
        name: inner
        transformationCatalog:
          transformations:
            - {name: t, sites: [{name: local, pfn: /bin/true, type: installed}]}
        jobs:
          - {type: job, id: first, name: t, arguments: [], uses: [{lfn: x, type: output}]}
          - {type: job, id: last, name: t, arguments: [], uses: [{lfn: x, type: input}]}
        """);

    Workflow workflow = read("w.yml").workflow();

    assertThat(ids(workflow)).containsExactly("first", "last", "sub.first", "sub.last");
    assertThat(workflow.tasks())
        .extracting(Task::after)
        .containsExactly(List.of(), List.of("sub.last"), List.of("first"), List.of());
  }

  @Test
  void wfFormatMarksAnOutputAsAWorkflow() throws IOException {
    write(
        "w.json",
        """
        {"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {
          "tasks": [{"name": "plan", "id": "plan", "inputFiles": [], "outputFiles": ["sub.json"]},
                    {"name": "sum", "id": "sum", "inputFiles": ["total"], "outputFiles": ["end"]}],
          "files": [{"id": "sub.json", "sizeInBytes": 1, "weir": {"workflow": ["total"]}},
                    {"id": "total", "sizeInBytes": 1}, {"id": "end", "sizeInBytes": 1}]}}}
        """);

    Task task = read("w.json").workflow().tasks().get(2);

    assertThat(task)
        .isEqualTo(
            new Task(
                "workflow-sub.json",
                "workflow",
                List.of("weir:workflow", "sub.json"),
                List.of("sub.json"),
                List.of("total"),
                0));
  }

  @Test
  void refusesWorkflowsThatContainThemselvesOrLackAFile() throws IOException {
    write("w.jx", "{\"rules\": [{\"workflow\": \"w.jx\"}]}");
    refused(
        "w.jx", "w.jx: the task 'workflow-1' stands for a workflow inside of 10 others; let no");

    write("w.jx", JX);
    write("sub.jx", "{\"rules\": [{\"command\": \"x\", \"outputs\": [\"other\"]}]}");
    refused("w.jx", "'workflow-2': no task of it makes the file 'all.txt', which", "; let one of");

    write(
        "sub.jx",
        SUB_JX.replace("\"part.\"", "\"end.txt\"").replace("N)", "1)").replace("+ I", ""));
    refused("w.jx", "the file 'end.txt' is written by two tasks");

    write(
        "sub.jx",
        "{\"rules\": [{\"command\": \"x\", \"inputs\": [\"end.txt\"], \"outputs\": [\"all.txt\"]}]}");
    refused("w.jx", "a cycle");

    write("sub.jx", "{\"rules\": [");
    refused("w.jx", directory.resolve("sub.jx") + ": 1:");
  }

  @Test
  void refusesAWorkflowThatIsSaidToBeExpandedAlready() throws IOException {
    write(
        "w.json",
        """
        {"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {
          "tasks": [{"name": "sub", "id": "sub", "inputFiles": ["in.jx"], "outputFiles": ["out"]}],
          "files": [{"id": "in.jx", "sizeInBytes": 1}, {"id": "out", "sizeInBytes": 1}]},
          "execution": {"tasks": [{"id": "sub", "runtimeInSeconds": 1, "command":
            {"program": "weir:workflow", "arguments": ["in.jx", "expanded"]}}]}}}
        """);

    refused("w.json", "'sub' stands for a workflow that has been expanded already");
  }
}
