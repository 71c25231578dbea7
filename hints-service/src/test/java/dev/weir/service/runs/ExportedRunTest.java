package dev.weir.service.runs;

import static dev.weir.service.runs.RunClient.attempt;
import static dev.weir.service.runs.RunClient.withEffort;
import static dev.weir.service.runs.RunClient.wrote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.weir.hints.GivenPython;
import dev.weir.service.database.Database;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.wfformat.WfFormatReader;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run with several readers of a file, tasks without files, failed tasks and tasks that never ran.
 * Its export is checked against the rules of the format and read with WfCommons.
 */
class ExportedRunTest {
  /** A file with WfFormat's schema, 1.5 or 1.6, which is not part of this project. */
  private static final String SCHEMA = "weir.wfformat.schema";

  /**
   * Replaces the version, because a schema accepts only its own. 1.6 adds optional parts and a rule
   * for task ids to 1.5, and the test's ids follow the rule.
   */
  private static final String READ =
      """
      import json, pathlib, sys
      from wfcommons.wfinstances import Instance

      file, schema = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
      instance = json.loads(file.read_text())
      versions = json.loads(schema.read_text())['properties']['schemaVersion']['enum']
      instance['schemaVersion'] = versions[-1]
      file.write_text(json.dumps(instance))
      workflow = Instance(file, schema_file=schema).workflow
      print(len(workflow.nodes), len(workflow.edges))
      """;

  private static final RunKey KEY = new RunKey("ann", "r");
  private static final String ODD = "größe 日本 \"x\" it's";

  @TempDir private Path directory;

  private final Database database =
      RunReporter.opened(RunReporter.settings("mem:" + UUID.randomUUID()));
  private final RunStore store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void exportIsValid() throws Exception {
    JsonNode exported = exported("data/in.csv", "cut-1", "-");

    assertThat(exported.path("schemaVersion").asText()).isEqualTo("1.6");
    assertThat(WfFormatRules.breaches(exported)).isEmpty();
    Workflow workflow = read(exported);
    assertThat(workflow.tasks()).hasSize(6);
    assertThat(WfFormatRules.breaches(new ObjectMapper().readTree(WfFormatWriter.toJson(workflow))))
        .as("what convert makes of it")
        .isEmpty();
  }

  @Test
  void validatorReportsViolations() throws Exception {
    JsonNode exported = exported("data/in.csv", "cut-1", "-");
    JsonNode specification = exported.path("workflow").path("specification");
    ((ArrayNode) specification.path("files")).removeAll();
    specification.path("tasks").forEach(task -> ((ArrayNode) task.path("children")).removeAll());

    assertThat(WfFormatRules.breaches(exported))
        .contains("file of count is not declared: mid", "cut-1 has not among its children: count");
  }

  @Test
  void keepsNamesThatFormatForbids() throws Exception {
    JsonNode exported = exported(ODD, "a task: " + ODD, "");

    assertThat(WfFormatRules.breaches(exported))
        .isNotEmpty()
        .allMatch(breach -> breach.equals("argument: \"\"") || breach.startsWith("id: "));
    assertThat(read(exported).tasks())
        .filteredOn(task -> task.id().equals("a task: " + ODD))
        .singleElement()
        .extracting(Task::inputs, Task::command)
        .containsExactly(List.of(ODD), List.of("cut", ""));
  }

  @Test
  void wfCommonsReadsExport() throws Exception {
    GivenPython python = GivenPython.with("wfcommons", directory);
    String schema = System.getProperty(SCHEMA);
    assumeThat(schema).as("-D%s=FILE", SCHEMA).isNotNull();
    String exported = exported("data/in.csv", "cut-1", "-").toString();

    for (String instance : List.of(exported, WfFormatWriter.toJson(read(exported)))) {
      Path file = Files.writeString(directory.resolve("run.json"), instance);
      assertThat(python.run(READ, "", file.toString(), String.valueOf(schema)))
          .endsWith("6 5" + System.lineSeparator());
    }
  }

  private JsonNode exported(String input, String first, String word) throws IOException {
    store.put(KEY, RunClient.head("/d", RunPhase.RUNNING));
    store.add(
        KEY,
        RunPart.ofTasks(
            List.of(new FileEntry(input, 5)),
            List.of(
                task(first, List.of("cut", word), List.of(input), List.of("mid", "log")),
                task("count", List.of("wc"), List.of("mid", "tool"), List.of("out")),
                task("again", List.of("wc", "-l"), List.of("mid"), List.of("sum")),
                task("clean", List.of("rm"), List.of(), List.of(), "count", first, "gone"),
                task("failed", List.of("sh"), List.of("mid"), List.of("never")),
                task("idle", List.of(), List.of(), List.of()))));
    store.add(
        KEY,
        RunPart.ofAttempts(
            List.of(
                attempt(first, 2, 10, wrote("mid", 42, "0a1b2c3d")),
                withEffort(attempt("count", 1, 20), new ResourceUse(9_000, 3 << 20)),
                attempt("again", 1, 21),
                failed(attempt("failed", 1, 30)),
                failed(attempt("failed", 2, 40)))));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new WfFormatExport(database).of(store.find(KEY).orElseThrow()).orElseThrow().write(out);
    return new ObjectMapper().readTree(out.toByteArray());
  }

  private static Workflow read(JsonNode instance) throws IOException {
    return read(instance.toString());
  }

  private static Workflow read(String instance) throws IOException {
    return new WfFormatReader().read(instance.getBytes(StandardCharsets.UTF_8), "export");
  }

  private static TaskEntry task(
      String id, List<String> command, List<String> in, List<String> out, String... after) {
    return new TaskEntry(id, "make it", command, in, out, List.of(after), 0, 0);
  }

  private static AttemptEntry failed(AttemptEntry attempt) {
    return new AttemptEntry(
        attempt.task(),
        attempt.attempt(),
        attempt.worker(),
        attempt.node(),
        Outcome.FAILED,
        3,
        attempt.ready(),
        attempt.dispatched(),
        attempt.times(),
        attempt.bytes(),
        null,
        attempt.files());
  }
}
