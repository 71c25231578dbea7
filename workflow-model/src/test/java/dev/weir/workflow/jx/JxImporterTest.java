package dev.weir.workflow.jx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JxImporterTest {

  private static ImportedWorkflow read(String text) throws WorkflowException {
    return read(text, ImportSettings.NONE);
  }

  private static ImportedWorkflow read(String text, ImportSettings settings)
      throws WorkflowException {
    return JxImporter.standard().read(new WorkflowSource("w.jx", text, null, settings));
  }

  private static String script(ImportedWorkflow imported, int task) {
    return imported.workflow().tasks().get(task).command().get(2);
  }

  @Test
  void mergesEnvironmentsAndResources() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            {"environment": {"A": "all", "B": "all", "C": "it's"},
             "default_category": "usual",
             "categories": {"usual": {"environment": {"A": "usual", "B": "usual"},
                                      "resources": {"cores": 4, "memory": 2, "disk": 3}}},
             "rules": [{"command": "./run x", "inputs": ["run", "x"], "outputs": ["y"],
                        "environment": {"A": "own"}, "resources": {"cores": 1, "gpus": 1, "wall-time": 60},
                        "idempotent": false}]}
            """);
    assertThat(script(imported, 0))
        .isEqualTo(
            "export A=own\nexport B=usual\nexport C='it'\\''s'\nchmod +x run || exit\n./run x");
    Task task = imported.workflow().tasks().get(0);
    assertThat(task.needs())
        .isEqualTo(new TaskNeeds(1, 2 << 20, 3 << 20, 60, true).withResources(TaskNeeds.gpus(1)));
    assertThat(task.type()).isEqualTo("run");
    assertThat(imported.warnings()).noneMatch(warning -> warning.contains("gpus"));
  }

  @Test
  void readsRetriesOfRules() throws WorkflowException {
    String rule = "{\"rules\": [{\"command\": \"a\", \"outputs\": [\"x\"], \"retries\": 5}]}";
    assertThat(read(rule).workflow().tasks().get(0).needs().attempts()).isEqualTo(6);
    assertThat(read(rule).warnings()).noneMatch(warning -> warning.contains("retries"));
    for (String wrong : List.of("-1", "100", "1.5", "\"5\"")) {
      refused(rule.replace("5", wrong), "write a whole number from 0 to 99 here");
    }
    refused(rule.replace("5", "100"), "w.jx: 1:");
  }

  @Test
  void renamesFilesInTheSandbox() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            {"rules": [{"command": "sim < in > out", "inputs":
              [{"dag_name": "in 5", "task_name": "in"}],
              "outputs": [{"dag_name": "d/out.5", "task_name": "out"}]}]}
            """);
    assertThat(script(imported, 0))
        .isEqualTo(
            """
            ln -s "$PWD"/'in 5' in || exit
            (
            sim < in > out
            ) || exit
            mkdir -p d || exit
            mv out d/out.5 || exit
            """);
    assertThat(imported.workflow().files()).containsOnlyKeys("in 5", "d/out.5");
  }

  @Test
  void readsHintsOfRulesCategoriesAndFiles() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            {"categories": {"c": {"environment": {"WEIR_HINT": "broadcast=3"}}},
             "rules": [
              {"command": "a", "category": "c", "inputs": [{"dag_name": "i", "hint": "reuse"}],
               "outputs": ["x", {"dag_name": "y", "hint": "pipeline"}]},
              {"command": "a", "outputs": ["z"], "environment": {"WEIR_HINT": "pipeline"}}]}
            """);
    Map<String, String> hints = new HashMap<>();
    imported.workflow().files().forEach((id, file) -> hints.put(id, file.hint()));
    assertThat(hints)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("i", "reuse", "x", "broadcast=3", "y", "pipeline", "z", "pipeline"));
    assertThat(script(imported, 0)).isEqualTo("a");
    refused(
        "{\"rules\": [{\"command\": \"a\", \"outputs\": [{\"dag_name\": \"y\", \"hint\": \"no\"}]}]}",
        "1:41: the hint of the file 'y' is invalid");
  }

  @Test
  void userDefinitionsTakePrecedence(@TempDir Path directory) throws IOException {
    String text =
        """
        {"define": {"A": "a", "B": "b", "C": A + B},
         "rules": [{"command": A + B + C + D, "outputs": [D]}]}
        """;
    Path arguments = directory.resolve("args.jx");
    Files.writeString(arguments, "# more\n{\"B\": \"x\", \"D\": \"d\"}");
    ImportedWorkflow imported =
        read(text, new ImportSettings(Map.of(), Map.of("B", "format(\"%d\", 7)"), arguments));
    assertThat(script(imported, 0)).isEqualTo("a7a7d");
    refused(text, "2:36: 'D' is not defined; define it");
  }

  @Test
  void warnsAboutIgnoredKeys() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            {"x": nothing, "rules": [
              {"command": "a", "inputs": ["i"], "output": ["z"], "local_job": true}]}
            """);
    assertThat(imported.warnings())
        .containsExactly(
            "1:2: the key \"x\" is ignored",
            "2:3: the key \"output\" of a rule is ignored",
            "rules with local_job run on the cluster like all others",
            "the sizes of 1 of 1 files are unknown (i): each counts as 1 MB");
  }

  @Test
  void readsSizesOfInputsInItsDirectory(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("i"), "12345");
    String text = "{\"rules\": [{\"command\": \"a\", \"inputs\": [\"/i\"], \"outputs\": [\"o\"]}]}";
    ImportedWorkflow imported =
        JxImporter.standard()
            .read(new WorkflowSource("w.jx", text, directory, ImportSettings.NONE));
    assertThat(imported.workflow().files().values())
        .extracting("id", "sizeBytes")
        .containsExactly(tuple("i", 5L), tuple("o", 1_000_000L));
  }

  @Test
  void refusesInvalidWorkflows() {
    refused("[]", "1:1: the file does not contain an object");
    refused("{}", "1:1: the workflow has no rules");
    refused("{\"rules\": 1}", "1:11: \"rules\" of the workflow is an integer; write a list here");
    refused("{\"rules\": [1]}", "1:12: a rule is an object");
    refused("{\"rules\": [{}]}", "1:12: a rule has no command");
    refused("{\"rules\": [{\"command\": 1}]}", "\"command\" of a rule is an integer");
    refused("{\"define\": 1, \"rules\": []}", "the definitions are not an object");
    refused(
        "{\"rules\": [{\"workflow\": \"x.jx\", \"command\": \"x\"}]}",
        "a rule has \"workflow\" and \"command\"");
    refused(
        "{\"rules\": [{\"workflow\": \"x.jx\", \"retries\": 2}]}",
        "a rule has \"retries\" and \"workflow\"");
    for (String part :
        List.of(
            "\"inputs\": [1]",
            "\"inputs\": [{\"task_name\": \"x\"}]",
            "\"resources\": []",
            "\"environment\": {\"A B\": \"x\"}",
            "\"resources\": {\"cores\": -1}")) {
      refused("{\"rules\": [{\"command\": \"a\", " + part + "}]}", "w.jx: 1:");
    }
  }

  private static void refused(String text, String problem) {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(text))
        .withMessageContaining(problem);
  }
}
