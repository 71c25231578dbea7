package dev.weir.service.runs;

import static dev.weir.service.runs.RunClient.START;
import static dev.weir.service.runs.RunClient.attempt;
import static dev.weir.service.runs.RunClient.head;
import static dev.weir.service.runs.RunClient.task;
import static dev.weir.service.runs.RunClient.withEffort;
import static dev.weir.service.runs.RunClient.wrote;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a file was produced, and the record of a run that is repeated, over HTTP. */
abstract class FileHistoryContract extends RunsFixture {

  @Test
  void followsFileThroughSeveralRuns() throws Exception {
    String first = run + ".1";
    calls.put(ALICE, first, head(directory, RunPhase.RUNNING), 201);
    calls.add(
        ALICE,
        first,
        RunPart.ofTasks(
            List.of(new FileEntry("raw", 7)),
            List.of(
                task("t1", List.of("raw", "tool"), List.of("mid")),
                task("t2", List.of("mid"), List.of("out", "log")))),
        200);
    calls.add(
        ALICE, first, RunPart.ofAttempts(List.of(attempt("t1", 1, 10), attempt("t2", 2, 30))), 200);
    calls.put(ALICE, first, head(directory, RunPhase.SUCCEEDED), 200);
    String second = run + ".2";
    calls.put(ALICE, second, head(directory, RunPhase.RUNNING), 201);
    calls.add(
        ALICE,
        second,
        RunPart.ofTasks(List.of(), List.of(task("last", List.of("out"), List.of("final")))),
        200);
    calls.add(ALICE, second, RunPart.ofAttempts(List.of(attempt("last", 1, 100))), 200);
    write("final", 110);

    Lineage found = calls.lineage(ALICE, directory + "/final");

    assertThat(found.verdict()).as(found.note()).isEqualTo(Verdict.LIKELY);
    assertThat(found.files())
        .extracting(FileVersion::path)
        .containsExactlyInAnyOrder(
            directory + "/final",
            directory + "/out",
            directory + "/mid",
            directory + "/raw",
            directory + "/tool");
    assertThat(found.attempts()).extracting(Making::task).containsExactly("last", "t2", "t1");
    assertThat(found.attempts().get(1).attempt()).isEqualTo(2);
    assertThat(found.attempts().get(1).command()).containsExactly("make", "-o", "t2");
    assertThat(found.attempts().get(1).ended()).isEqualTo(START.plusSeconds(40));
    assertThat(found.runs()).extracting(Lineage.RunName::id).containsExactly(second, first);
    assertThat(found.files()).filteredOn(file -> file.madeBy() == null).hasSize(2);
    assertThat(found.truncated()).isFalse();
    JsonNode little =
        calls.get(ALICE, RunClient.lineagePath(directory + "/final") + "&limit=1", 200);
    assertThat(little.path("truncated").asBoolean()).isTrue();
    assertThat(little.path("attempts")).hasSize(1);
  }

  @Test
  void repeatedEntryReplacesEarlierOne() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    calls.add(
        ALICE,
        run,
        RunPart.ofTasks(List.of(), List.of(task("t", List.of("x"), List.of("b")))),
        200);
    calls.add(
        ALICE,
        run,
        RunPart.ofTasks(
            List.of(),
            List.of(
                task("t", List.of("never"), List.of("b")), task("t", List.of("a"), List.of("b")))),
        200);
    calls.add(
        ALICE, run, RunPart.ofAttempts(List.of(attempt("t", 1, 10), attempt("t", 1, 50))), 200);
    write("b", 60);
    Lineage found = calls.lineage(ALICE, directory + "/b");
    assertThat(found.files())
        .extracting(FileVersion::path)
        .containsExactly(directory + "/b", directory + "/a");
    assertThat(found.attempts().get(0).dispatched()).isEqualTo(START.plusSeconds(50));
  }

  @Test
  void selectsWriteThatMatchesFile() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    calls.add(
        ALICE, run, RunPart.ofTasks(List.of(), List.of(task("t", List.of(), List.of("b")))), 200);
    List<AttemptEntry> attempts =
        List.of(
            attempt("t", 1, 10, wrote("b", 4, null)), attempt("t", 2, 300, wrote("b", 4, null)));
    calls.add(ALICE, run, RunPart.ofAttempts(attempts), 200);

    write("b", 20);
    assertThat(calls.lineage(ALICE, directory + "/b").attempts().get(0).attempt()).isEqualTo(1);
    write("b", 310);
    assertThat(calls.lineage(ALICE, directory + "/b").attempts().get(0).attempt()).isEqualTo(2);

    write("b", 3000);
    Lineage changed = calls.lineage(ALICE, directory + "/b");
    assertThat(changed.verdict()).isEqualTo(Verdict.CHANGED);
    assertThat(changed.note()).contains("NOT this one").contains("4 bytes");
    assertThat(changed.attempts().get(0).attempt()).as("the last").isEqualTo(2);
    Files.writeString(Path.of(directory, "b"), "longer than it was");
    setTime("b", 310);
    assertThat(calls.lineage(ALICE, directory + "/b").verdict()).isEqualTo(Verdict.CHANGED);

    Files.delete(Path.of(directory, "b"));
    assertThat(calls.lineage(ALICE, directory + "/b").verdict()).isEqualTo(Verdict.GONE);
    calls.get(BOB, RunClient.lineagePath(directory + "/b"), 404);
    FileUse kept = new FileUse("b", true, 4L, "0000000c", true);
    calls.add(ALICE, run, RunPart.ofAttempts(List.of(attempt("t", 3, 400, kept))), 200);
    Lineage onNode = calls.lineage(ALICE, directory + "/b");
    assertThat(onNode.verdict()).isEqualTo(Verdict.ON_NODE);
    assertThat(onNode.files().get(0).crc32c()).isEqualTo("0000000c");
    write("other", 10);
    assertThat(calls.lineage(ALICE, directory + "/other").verdict()).isEqualTo(Verdict.UNKNOWN);
    calls.get(ALICE, RunClient.lineagePath(directory + "/none"), 404);
    calls.get(ALICE, RunClient.lineagePath(directory), 400);
  }

  @Test
  void acceptsLongAndUnusualNames() throws Exception {
    String file = "d'é\"\\%_<run>:".replace(":", "") + ("/" + "λ".repeat(125)).repeat(24);
    String id = "t:?<x>" + "y".repeat(900);
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    TaskEntry task =
        new TaskEntry(
            id,
            "a:b",
            List.of("sh", "-c", "a\nb :x <y>", ""),
            List.of(file),
            List.of("o"),
            List.of(),
            0,
            0);
    calls.add(ALICE, run, RunPart.ofTasks(List.of(), List.of(task)), 200);
    calls.add(ALICE, run, RunPart.ofAttempts(List.of(attempt(id, 1, 10))), 200);
    write("o", 20);
    Lineage found = calls.lineage(ALICE, directory + "/o");
    assertThat(found.attempts().get(0).command()).containsExactlyElementsOf(task.command());
    assertThat(found.attempts().get(0).task()).isEqualTo(id);
    assertThat(found.files().get(1).path()).isEqualTo(directory + "/" + file);
  }

  @Test
  void exportsLongRunInPages() throws Exception {
    String user = "erin";
    calls.put(user, run, head(directory, RunPhase.RUNNING), 201);
    List<TaskEntry> tasks = new ArrayList<>(tasks(450));
    List<String> all = IntStream.range(0, 450).mapToObj(i -> "o" + i).toList();
    tasks.add(task("sum", all, List.of("total")));
    calls.add(user, run, RunPart.ofTasks(List.of(new FileEntry("o7", 70)), tasks), 200);
    calls.add(user, run, RunPart.ofAttempts(List.of(attempt("t00444", 1, 10))), 200);

    JsonNode exported = calls.get(user, "/v1/runs/" + run + "/wfformat", 200);

    Workflow workflow =
        new WfFormatReader().read(exported.toString().getBytes(StandardCharsets.UTF_8), "export");
    assertThat(workflow.tasks()).extracting(Task::id).hasSize(451).doesNotHaveDuplicates();
    assertThat(workflow.files()).hasSize(452);
    assertThat(requireNonNull(workflow.files().get("o7")).sizeBytes()).isEqualTo(70);
    JsonNode specified = exported.path("workflow").path("specification").path("tasks");
    assertThat(specified.get(0).path("id").asText()).isEqualTo("sum");
    assertThat(specified.get(0).path("parents")).hasSize(450);
    assertThat(specified.get(445).path("children").path(0).asText()).isEqualTo("sum");
    assertThat(
            exported
                .path("workflow")
                .path("execution")
                .path("tasks")
                .get(445)
                .path("runtimeInSeconds")
                .asDouble())
        .isEqualTo(6.0);
  }

  @Test
  void usedMemoryIsNotRequiredMemory() throws Exception {
    String user = "frank";
    calls.put(user, run, head(directory, RunPhase.RUNNING), 201);
    TaskEntry undemanding =
        new TaskEntry("t", "make", List.of("make"), List.of(), List.of(), List.of(), 0, 0);
    calls.add(user, run, RunPart.ofTasks(List.of(), List.of(undemanding)), 200);
    AttemptEntry made = withEffort(attempt("t", 1, 10), new ResourceUse(9_000, 3L << 40));
    calls.add(user, run, RunPart.ofAttempts(List.of(made)), 200);

    JsonNode exported = calls.get(user, "/v1/runs/" + run + "/wfformat", 200);

    Workflow workflow =
        new WfFormatReader().read(exported.toString().getBytes(StandardCharsets.UTF_8), "export");
    assertThat(workflow.tasks().get(0).needs()).isEqualTo(TaskNeeds.UNKNOWN);
    assertThat(
            exported
                .path("workflow")
                .path("execution")
                .path("tasks")
                .path(0)
                .path("memoryInBytes")
                .asLong())
        .isEqualTo(3L << 40);
  }

  @Test
  void exportedRunCanBeReadAsWorkflow() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    calls.get(ALICE, "/v1/runs/" + run + "/wfformat", 404);
    TaskEntry after =
        new TaskEntry("u", "clean", List.of("rm", "x"), List.of(), List.of(), List.of("t"), 0, 0);
    calls.add(
        ALICE,
        run,
        RunPart.ofTasks(
            List.of(new FileEntry("a", 5), new FileEntry("b", 99)),
            List.of(task("t", List.of("a"), List.of("b")), after)),
        200);
    AttemptEntry made =
        withEffort(attempt("t", 1, 10, wrote("b", 42, null)), new ResourceUse(9_000, 3 << 20));
    calls.add(ALICE, run, RunPart.ofAttempts(List.of(made)), 200);
    JsonNode exported = calls.get(ALICE, "/v1/runs/" + run + "/wfformat", 200);
    Workflow workflow =
        new WfFormatReader().read(exported.toString().getBytes(StandardCharsets.UTF_8), "export");
    assertThat(workflow.name()).isEqualTo("flow");
    Task task = workflow.tasks().get(0);
    assertThat(task.command()).containsExactly("make", "-o", "t");
    assertThat(task.runtimeSeconds()).isEqualTo(6.0);
    assertThat(task.needs()).as("as declared").isEqualTo(new TaskNeeds(2, 1 << 20, 0));
    assertThat(workflow.tasks().get(1).after()).containsExactly("t");
    assertThat(requireNonNull(workflow.files().get("b")).sizeBytes())
        .as("as measured")
        .isEqualTo(42);
    assertThat(requireNonNull(workflow.files().get("a")).sizeBytes()).isEqualTo(5);
    JsonNode execution = exported.path("workflow").path("execution");
    JsonNode ran = execution.path("tasks").path(0);
    assertThat(ran.path("machines").path(0).asText()).isEqualTo("node1");
    assertThat(ran.path("avgCPU").asDouble()).as("9 s of processors in 6 s").isEqualTo(150);
    assertThat(ran.path("memoryInBytes").asLong()).as("as measured").isEqualTo(3 << 20);
    assertThat(execution.path("tasks").path(1).has("avgCPU")).isFalse();
    JsonNode known = calls.get(ALICE, "/v1/runs/" + run, 200);
    assertThat(known.path("cpu-millis").asLong()).isEqualTo(9_000);
    assertThat(known.path("peak-memory-bytes").asLong()).isEqualTo(3 << 20);
    assertThat(execution.path("machines").path(0).path("nodeName").asText()).isEqualTo("node1");
  }
}
