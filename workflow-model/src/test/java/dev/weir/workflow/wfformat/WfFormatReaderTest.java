package dev.weir.workflow.wfformat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WfFormatReaderTest {

  /** Two tasks in a row and a third that is ordered without a file, with the format's oddities. */
  private static final String GOOD =
      """
      {"name": "two", "schemaVersion": "1.5", "description": "unknown keys are ignored",
       "runtimeSystem": {"name": "x"}, "author": null,
       "workflow": {
        "specification": {
         "tasks": [
          {"name": "cut_ID0000001", "id": "cut_ID0000001", "parents": [],
           "children": ["join_ID0000002"],
           "inputFiles": ["/data/in.txt", "None", "None"], "outputFiles": ["part.1"]},
          {"name": "join_ID0000002", "id": "join_ID0000002", "parents": ["cut_ID0000001"],
           "children": ["say"], "inputFiles": ["part.1"], "outputFiles": ["out.txt"]},
          {"name": "Say it", "id": "say", "parents": ["join_ID0000002"], "children": []}
         ],
         "files": [
          {"id": "/data/in.txt", "sizeInBytes": 5000000000},
          {"id": "None", "sizeInBytes": 0},
          {"id": "part.1", "sizeInBytes": 12.0},
          {"id": "out.txt", "sizeInBytes": 1e3}
         ]},
        "execution": {"makespanInSeconds": 3, "executedAt": "20200401T035043+0000",
         "tasks": [
          {"id": "cut_ID0000001", "runtimeInSeconds": 1.5, "coreCount": 1,
           "command": {"program": "/usr/bin/cut", "arguments": ["-c", "1", ""]},
           "machines": ["m"]}
         ],
         "machines": [{"nodeName": "m"}]}}}
      """;

  @TempDir private Path dir;

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("flow.json"), text);
  }

  private static Workflow read(Path file) throws WorkflowException {
    return WfFormatReader.IMPORTER.read(WorkflowSource.of(file, ImportSettings.NONE)).workflow();
  }

  private ThrowableAssertAlternative<WorkflowException> refused(String text) throws IOException {
    Path file = file(text);
    return assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(file))
        .withMessageStartingWith(file + ": ");
  }

  private ThrowableAssertAlternative<WorkflowException> refused(String part, String replacement)
      throws IOException {
    assertThat(GOOD).contains(part);
    return refused(GOOD.replace(part, replacement));
  }

  @Test
  void readsUnusualDocuments() throws IOException {
    Workflow workflow = read(file(GOOD));

    assertThat(workflow.name()).isEqualTo("two");
    assertThat(workflow.files().values())
        .containsExactly(
            new DataFile("data/in.txt", 5_000_000_000L),
            new DataFile("None", 0),
            new DataFile("part.1", 12),
            new DataFile("out.txt", 1000));
    Task cut = workflow.tasks().get(0);
    assertThat(cut.type()).isEqualTo("cut");
    assertThat(cut.command()).containsExactly("/usr/bin/cut", "-c", "1", "");
    assertThat(cut.inputs()).containsExactly("data/in.txt", "None");
    assertThat(cut.runtimeSeconds()).isEqualTo(1.5);
    Task join = workflow.tasks().get(1);
    assertThat(join.type()).isEqualTo("join");
    assertThat(join.command()).isEmpty();
    assertThat(join.after()).as("what the files imply is not repeated").isEmpty();
    Task say = workflow.tasks().get(2);
    assertThat(say.type()).isEqualTo("Say it");
    assertThat(say.after()).containsExactly("join_ID0000002");
    assertThat(say.outputs()).isEmpty();
  }

  @Test
  void readsSchema16() throws IOException {
    String newer =
        GOOD.replace("\"1.5\"", "\"1.6\"").replace("\"files\"", "\"metrics\":{},\"files\"");

    assertThat(read(file(newer))).isEqualTo(read(file(GOOD)));
  }

  @Test
  void readsWhatTheWriterWrote() throws IOException {
    Workflow workflow = read(file(GOOD));
    Path written = dir.resolve("written.json");
    WfFormatWriter.write(workflow, written);

    assertThat(read(written)).isEqualTo(workflow);
    assertThat(written).content().contains("\"name\" : \"cut\"").endsWith("}\n");
  }

  @Test
  void refusesUnknownSchemaVersion() throws IOException {
    refused("\"1.5\"", "\"1.3\"")
        .withMessageContaining("/schemaVersion: the schema version '1.3' is not supported")
        .withMessageContaining("convert");
    refused("\"schemaVersion\": \"1.5\",", "").withMessageContaining("/schemaVersion: missing");
    refused("\"1.5\"", "1.5").withMessageContaining("/schemaVersion: 1.5 is found where a string");
  }

  @Test
  void refusesTruncatedFileAtEveryLength() throws IOException {
    for (int length = 0; length < GOOD.stripTrailing().length(); length += 7) {
      refused(GOOD.substring(0, length)).withMessageMatching("(?s).*: \\d+:\\d+: .*");
    }
    refused(GOOD.substring(0, GOOD.indexOf("/data")))
        .withMessageContaining(": 8:")
        .withMessageContaining("truncated");
    refused("").withMessageContaining("the file is empty");
  }

  @Test
  void refusesBadSyntaxWithLineAndColumn() throws IOException {
    refused("\"id\": \"say\",", "\"id\" \"say\",").withMessageContaining(": 11:");
    refused(GOOD + "{}").withMessageContaining("invalid JSON");
    refused("\"id\": \"say\",", "\"id\": \"say\", \"id\": \"say\",")
        .withMessageContaining("Duplicate field 'id'");
    refused("[1]").withMessageContaining("no JSON object");
  }

  @Test
  void errorsHavePlacesAndNoParserOptions() throws IOException {
    String deep = "[".repeat(1001) + "]".repeat(1001);
    refused("\"author\": null", "\"author\": " + deep)
        .withMessageContaining(": 2:1")
        .withMessageContaining("nesting depth (1001) exceeds the maximum allowed (1000)); correct");
    refused("\"author\": null", "\"author\": NaN").withMessageContaining("token 'NaN'); correct");
    refused("\"author\": null", "\"author\": +5").withMessageContaining("have plus signs); corr");
    refused("\"author\": null", "// \"author\": null").withMessageContaining("comment?); correct");
    refused("\"author\": null", "\"author\": [}").withMessageContaining("[line: 2, column: ");
    refused(GOOD + " {}").withMessageContaining(": 26:2: invalid JSON (text follows");
    refused(GOOD + " x").withMessageContaining(": 26:3: invalid JSON (Unrecognized token 'x'");
  }

  @Test
  void refusesOtherEncoding() {
    byte[] latin1 = GOOD.replace("two", "z\u00e4hl").getBytes(StandardCharsets.ISO_8859_1);

    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> new WfFormatReader().read(latin1, "flow"))
        .withMessageContaining("UTF-8");
  }

  @Test
  void refusesCycle() throws IOException {
    refused("\"inputFiles\": [\"/data/in.txt\"", "\"inputFiles\": [\"out.txt\"")
        .withMessageContaining("/workflow/specification/tasks/0: ")
        .withMessageContaining("cycle")
        .withMessageContaining("remove one of these");
    refused(
            GOOD.replace(
                    "\"id\": \"say\", \"parents\": [", "\"id\": \"say\", \"parents\": [\"say\", ")
                .replace("\"children\": []", "\"children\": [\"say\"]"))
        .withMessageContaining("cycle: say -> say");
  }

  @Test
  void refusesTwoProducersOfOneFile() throws IOException {
    refused("\"outputFiles\": [\"out.txt\"]", "\"outputFiles\": [\"out.txt\", \"part.1\"]")
        .withMessageContaining("/workflow/specification/tasks/1/outputFiles/1: ")
        .withMessageContaining("both reads and writes");
    refused("\"id\": \"say\",", "\"id\": \"say\", \"outputFiles\": [\"part.1\"],")
        .withMessageContaining("/workflow/specification/tasks/2/outputFiles/0: ")
        .withMessageContaining("written by two tasks, 'cut_ID0000001' and 'say'");
  }

  @Test
  void refusesUndeclaredFile() throws IOException {
    refused("{\"id\": \"None\", \"sizeInBytes\": 0},", "")
        .withMessageContaining("/workflow/specification/tasks/0/inputFiles/1: ")
        .withMessageContaining("'None', whose size is not declared")
        .withMessageContaining("declare the file with its size in bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "\"12\"", "null", "0.5", "1e400", "99999999999999999999", "true"})
  void refusesBadSizes(String size) throws IOException {
    refused("12.0", size)
        .withMessageContaining("/workflow/specification/files/2/sizeInBytes: ")
        .withMessageContaining("give its size in bytes, 0 or more");
  }

  @Test
  void refusesMissingSize() throws IOException {
    refused(", \"sizeInBytes\": 12.0", "")
        .withMessageContaining("/workflow/specification/files/2/sizeInBytes: missing");
  }

  @Test
  void refusesDuplicateIds() throws IOException {
    refused("\"id\": \"None\"", "\"id\": \"data/in.txt\"")
        .withMessageContaining("/workflow/specification/files/1/id: ")
        .withMessageContaining("declared a second time");
    refused("\"id\": \"say\"", "\"id\": \"join_ID0000002\"")
        .withMessageContaining("/workflow/specification/tasks/2/id: ")
        .withMessageContaining("first at /workflow/specification/tasks/1");
    refused(
            "\"machines\": [\"m\"]}",
            "\"machines\": [\"m\"]}, {\"id\": \"cut_ID0000001\", \"runtimeInSeconds\": 1}")
        .withMessageContaining("/workflow/execution/tasks/1/id: ")
        .withMessageContaining("second entry");
  }

  @Test
  void refusesUnknownParentsAndChildren() throws IOException {
    refused("\"parents\": [\"cut_ID0000001\"]", "\"parents\": [\"nobody\"]")
        .withMessageContaining("/workflow/specification/tasks/1/parents/0: ")
        .withMessageContaining("no task has the id 'nobody'");
    refused("\"children\": [\"say\"]", "\"children\": [\"say\", \"nobody\"]")
        .withMessageContaining("/workflow/specification/tasks/1/children/1: ");
  }

  @Test
  void refusesParentsAndChildrenThatDisagree() throws IOException {
    refused("\"children\": [\"say\"]", "\"children\": []")
        .withMessageContaining("/workflow/specification/tasks/2/parents: ")
        .withMessageContaining("does not name it as a child");
    refused("\"parents\": [\"join_ID0000002\"]", "\"parents\": []")
        .withMessageContaining("/workflow/specification/tasks/1/children: ")
        .withMessageContaining("does not name it as a parent");
  }

  @Test
  void readsOrderFromOneList() throws IOException {
    Workflow workflow = read(file(GOOD.replace("\"parents\": [\"join_ID0000002\"],", "")));

    assertThat(workflow.tasks().get(2).after()).containsExactly("join_ID0000002");
  }

  @Test
  void refusesIdsThatEscape() throws IOException {
    refused("\"outputFiles\": [\"out.txt\"]", "\"outputFiles\": [\"../out.txt\"]")
        .withMessageContaining("/workflow/specification/tasks/1/outputFiles/0: ")
        .withMessageContaining("leaves the data directory");
    refused("\"id\": \"out.txt\"", "\"id\": \"a/../../out.txt\"")
        .withMessageContaining("/workflow/specification/files/3/id: ");
    refused(
            GOOD.replace("\"children\": [\"say\"]", "\"children\": [\"..\"]")
                .replace("\"id\": \"say\"", "\"id\": \"..\""))
        .withMessageContaining("/workflow/specification/tasks/2: ")
        .withMessageContaining("cannot be a file name");
  }

  @Test
  void refusesBadExecutions() throws IOException {
    refused(
            "{\"id\": \"cut_ID0000001\", \"runtimeInSeconds\"",
            "{\"id\": \"x\", \"runtimeInSeconds\"")
        .withMessageContaining("/workflow/execution/tasks/0/id: no task 'x'");
    refused("\"runtimeInSeconds\": 1.5", "\"runtimeInSeconds\": -1.5")
        .withMessageContaining("/workflow/execution/tasks/0/runtimeInSeconds: ");
    refused("\"program\": \"/usr/bin/cut\",", "")
        .withMessageContaining("/workflow/execution/tasks/0/command/program: missing");
    refused("[\"-c\", \"1\", \"\"]", "[\"-c\", 1]")
        .withMessageContaining("/workflow/execution/tasks/0/command/arguments/1: 1 is found where");
    refused("{\"program\": \"/usr/bin/cut\", \"arguments\": [\"-c\", \"1\", \"\"]}", "\"cut\"")
        .withMessageContaining(
            "/workflow/execution/tasks/0/command: \"cut\" is found where an object");
  }

  private ImportedWorkflow imported(String part, String replacement) throws IOException {
    assertThat(GOOD).contains(part);
    String text = GOOD.replace(part, replacement);
    return WfFormatReader.IMPORTER.read(
        WorkflowSource.of("flow.json", text.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "\"5\"", "1e30", "true", "[1]"})
  void warnsAboutInvalidNeeds(String need) throws IOException {
    ImportedWorkflow imported =
        imported(
            "\"coreCount\": 1,", "\"coreCount\": " + need + ", \"memoryInBytes\": " + need + ",");

    assertThat(imported.workflow().tasks().get(0).needs()).isEqualTo(TaskNeeds.UNKNOWN);
    assertThat(imported.warnings())
        .hasSize(2)
        .allSatisfy(
            warning ->
                assertThat(warning)
                    .startsWith("/workflow/execution/tasks/0/")
                    .endsWith(", 0 or more, is expected; it counts as undeclared"));
  }

  @Test
  void doesNotWarnAboutUnmeasuredNeeds() throws IOException {
    ImportedWorkflow imported =
        imported("\"coreCount\": 1,", "\"coreCount\": null, \"memoryInBytes\": 1.5,");

    assertThat(imported.workflow().tasks().get(0).needs()).isEqualTo(new TaskNeeds(0, 2, 0));
    assertThat(imported.warnings()).isEmpty();
    assertThat(imported("\"coreCount\": 1,", "\"coreCount\": 0.5,").warnings()).isEmpty();
  }

  /** A recorder's error usually affects every task. */
  @Test
  void warnsOncePerKindOfProblem() throws IOException {
    ImportedWorkflow imported =
        imported(
            "\"tasks\": [\n    {\"id\": \"cut_ID0000001\"",
            """
            "tasks": [
              {"id": "say", "coreCount": -1, "memoryInBytes": -1},
              {"id": "join_ID0000002", "coreCount": -1},
              {"id": "cut_ID0000001"\
            """
                .strip());

    assertThat(imported.warnings())
        .containsExactly(
            "/workflow/execution/tasks/1/coreCount: -1 is found where a number of cores, 0"
                + " or more, is expected; it counts as undeclared (and 1 more like it)",
            "/workflow/execution/tasks/0/memoryInBytes: -1 is found where a size in bytes,"
                + " 0 or more, is expected; it counts as undeclared");
  }

  @Test
  void addsATaskThatFetchesAFileFromItsSource() throws IOException {
    String source =
        "{\"id\": \"/data/in.txt\", \"weir\": {\"source\": \"https://host/in?a=b\","
            + " \"checksum\": \"md5:"
            + "ab".repeat(16)
            + "\"},";
    Workflow workflow = read(file(GOOD.replace("{\"id\": \"/data/in.txt\",", source)));

    Task fetch = workflow.tasks().get(3);
    assertThat(fetch.id()).isEqualTo("fetch-data_in.txt");
    assertThat(fetch.command())
        .containsExactly("weir:fetch", "https://host/in?a=b", "checksum=md5:" + "ab".repeat(16));
    assertThat(fetch.outputs()).containsExactly("data/in.txt");
    Path written = dir.resolve("written.json");
    WfFormatWriter.write(workflow, written);
    assertThat(read(written)).isEqualTo(workflow);
    refused("{\"id\": \"/data/in.txt\",", source.replace("https:", ""))
        .withMessageContaining("/workflow/specification/files/0/weir/source");
  }

  @Test
  void fetchesAFileWhoseIdIsItsUrl() throws IOException {
    String url = "https://host/data/in.txt?version=2";
    Workflow workflow = read(file(GOOD.replace("/data/in.txt", url)));

    assertThat(workflow.tasks().get(0).inputs()).contains("in.txt");
    assertThat(workflow.files())
        .containsEntry("in.txt", new DataFile("in.txt", 5_000_000_000L, true, ""));
    Task fetch = workflow.tasks().get(3);
    assertThat(fetch.command()).containsExactly("weir:fetch", url);
    assertThat(fetch.outputs()).containsExactly("in.txt");
    refused("/data/in.txt", "https://host/data/")
        .withMessageContaining("/workflow/specification/files/0/id");
    refused("\"id\": \"None\"", "\"id\": \"https://host/data/part.1\"")
        .withMessageContaining("/workflow/specification/files/2/id: ")
        .withMessageContaining("of a URL, only the last part is the name");
  }

  @Test
  void checksAFileWhoseIdIsItsUrl() throws IOException {
    String url = "https://host/data/in.txt";
    String checksum = "sha256:" + "0".repeat(64);
    String text =
        GOOD.replace("/data/in.txt", url)
            .replace(
                "\"sizeInBytes\": 5000000000",
                "\"sizeInBytes\": 5000000000, \"weir\": {\"checksum\": \"" + checksum + "\"}");

    assertThat(read(file(text)).tasks().get(3).command())
        .containsExactly("weir:fetch", url, "checksum=" + checksum);
  }

  @Test
  void warnsAboutUnknownKeysOfTheExtension() throws IOException {
    assertThat(
            imported(
                    "{\"id\": \"part.1\",",
                    "{\"id\": \"part.1\", \"weir\": {\"hnt\": \"pipeline\"},")
                .warnings())
        .containsExactly(
            "/workflow/specification/files/2/weir/hnt: unknown key (known: checksum, hint, size,"
                + " source, workflow), which is ignored");
    assertThat(imported("\"coreCount\": 1,", "\"weir\": {\"disk\": 5},").warnings())
        .containsExactly(
            "/workflow/execution/tasks/0/weir/disk: unknown key (known: container,"
                + " containers, diskInBytes, idempotent, memoryInBytes, resources, retries, wallTimeInSeconds),"
                + " which is ignored");
  }

  @Test
  void readsAndWritesFurtherResources() throws IOException {
    String declared = "\"weir\": {\"resources\": {\"yarn.io/gpu\": 1, \"fpga\": 2}},";
    Workflow workflow = read(file(GOOD.replace("\"coreCount\": 1,", declared)));

    assertThat(workflow.tasks())
        .extracting(task -> task.needs().resources())
        .contains(Map.of("yarn.io/gpu", 1L, "fpga", 2L));
    Path written = dir.resolve("written.json");
    WfFormatWriter.write(workflow, written);
    assertThat(read(written)).isEqualTo(workflow);
    refused("\"coreCount\": 1,", declared.replace("2}", "\"2\"}"))
        .withMessageContaining("/workflow/execution/tasks/0/weir/resources/fpga");
    refused("\"coreCount\": 1,", declared.replace("2}", "0}"))
        .withMessageContaining("A task cannot need 0 of 'fpga'");
    refused("\"coreCount\": 1,", declared.replace("fpga", "vcores"))
        .withMessageContaining("'vcores' cannot be a resource type");
  }

  @Test
  void readsAndWritesRetries() throws IOException {
    String declared = "\"weir\": {\"retries\": 0},";
    Workflow workflow = read(file(GOOD.replace("\"coreCount\": 1,", declared)));

    assertThat(workflow.tasks().get(0).needs().attempts()).isEqualTo(1);
    Path written = dir.resolve("written.json");
    WfFormatWriter.write(workflow, written);
    assertThat(read(written)).isEqualTo(workflow);
    for (String wrong : List.of("-1", "100", "4294967296", "1.5", "\"3\"", "null")) {
      refused("\"coreCount\": 1,", declared.replace("0}", wrong + "}"))
          .withMessageContaining("/workflow/execution/tasks/0/weir/retries");
    }
    refused("\"coreCount\": 1,", declared.replace("0}", "-1}"))
        .withMessageContaining("A task cannot have -1 retries: give 0 to 99");
  }

  @Test
  void readsAndWritesContainers() throws IOException {
    String declared = "\"weir\": {\"containers\": 3, \"retries\": 1},";
    Workflow workflow = read(file(GOOD.replace("\"coreCount\": 1,", declared)));

    assertThat(workflow.tasks().get(0).needs().containers()).isEqualTo(3);
    Path written = dir.resolve("written.json");
    WfFormatWriter.write(workflow, written);
    assertThat(read(written)).isEqualTo(workflow);
    for (String wrong : List.of("0", "-1", "65", "4294967297", "1.5", "\"3\"")) {
      refused("\"coreCount\": 1,", declared.replace("3", wrong))
          .withMessageContaining("/workflow/execution/tasks/0/weir/containers");
    }
    refused("\"coreCount\": 1,", declared.replace("1}", "1, \"container\": \"a.tar\"}"))
        .withMessageContaining("A task with 3 containers cannot run in an image");
  }

  @Test
  void idempotentMustBeTrueOrFalse() throws IOException {
    refused("\"coreCount\": 1,", "\"weir\": {\"idempotent\": \"false\"},")
        .withMessageContaining("/workflow/execution/tasks/0/weir/idempotent")
        .withMessageContaining("true or false");
  }

  @Test
  void keepsThatASizeIsUnknown() throws IOException {
    Workflow workflow =
        imported("{\"id\": \"part.1\",", "{\"id\": \"part.1\", \"weir\": {\"size\": \"unknown\"},")
            .workflow();
    assertThat(workflow.files().values())
        .filteredOn(file -> !file.sizeKnown())
        .extracting(DataFile::id)
        .containsExactly("part.1");

    byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);

    assertThat(new WfFormatReader().read(written, "written").files()).isEqualTo(workflow.files());
  }

  @Test
  void refusesAnotherSizeInTheExtension() throws IOException {
    refused("{\"id\": \"part.1\",", "{\"id\": \"part.1\", \"weir\": {\"size\": \"5\"},")
        .withMessageContaining("/workflow/specification/files/2/weir/size: ")
        .withMessageContaining("write \"unknown\"");
  }

  @Test
  void refusesMissingParts() throws IOException {
    refused("\"workflow\"", "\"workFlow\"").withMessageContaining("/workflow: missing");
    refused("\"name\": \"two\",", "").withMessageContaining("/name: missing");
    refused("\"tasks\": [\n    {\"name\"", "\"jobs\": [\n    {\"name\"")
        .withMessageContaining("/workflow/specification/tasks: missing");
  }

  @Test
  void readsTheContainerOfATask() throws IOException {
    ImportedWorkflow imported =
        imported("\"coreCount\": 1,", "\"weir\": {\"container\": \"img/tools.tar\"},");
    Workflow workflow = imported.workflow();

    assertThat(workflow.tasks().get(0).inputs()).contains("img/tools.tar");
    assertThat(workflow.files()).containsKey("img/tools.tar");
    assertThat(imported.warnings()).isEmpty();
    assertThat(
            new WfFormatReader()
                .read(WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8), "again"))
        .isEqualTo(workflow);
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> imported("\"coreCount\": 1,", "\"weir\": {\"container\": \"a b\"},"))
        .withMessageContaining("/workflow/execution/tasks/0/weir/container");
  }
}
