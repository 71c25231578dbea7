package dev.weir.service.runs;

import static dev.weir.service.runs.RunCalls.START;
import static dev.weir.service.runs.RunCalls.attempt;
import static dev.weir.service.runs.RunCalls.head;
import static dev.weir.service.runs.RunCalls.task;
import static dev.weir.service.runs.RunCalls.wrote;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.service.access.Limits;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.provenance.WorkerEntry;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What runs are, whatever database keeps them: asked over HTTP, with files of this machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RunsContract {
  private static final String ALICE = "alice";
  private static final String BOB = "bob";
  private static final int ROWS = 5_000;

  private Path root;
  private TestServer server;
  private RunCalls calls;
  private String directory;
  private String run;

  /** The settings of a service over the database under test. */
  abstract Map<String, String> database() throws Exception;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    root = folder;
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> settings = new HashMap<>(database());
    settings.put(Limits.RUN_ROWS_PER_USER.key(), Integer.toString(ROWS));
    server = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), settings);
    calls = new RunCalls(server);
    server.awaitDatabase();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void name(TestInfo test) throws Exception {
    run = test.getTestMethod().orElseThrow().getName();
    Path data = Files.createDirectories(root.resolve(run));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    directory = data.toString();
  }

  final TestServer server() {
    return server;
  }

  @Test
  void aFileIsFollowedThroughItsRunAndTheRunsBefore() throws Exception {
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
        calls.get(ALICE, RunCalls.lineagePath(directory + "/final") + "&limit=1", 200);
    assertThat(little.path("truncated").asBoolean()).isTrue();
    assertThat(little.path("attempts")).hasSize(1);
  }

  @Test
  void whatIsToldTwiceCountsOnce() throws Exception {
    RunPart tasks =
        RunPart.ofTasks(
            List.of(new FileEntry("a", 5)), List.of(task("t", List.of("a"), List.of("b"))));
    RunPart attempts =
        RunPart.ofAttempts(List.of(attempt("t", 1, 10, wrote("b", 4, null)), attempt("t", 2, 20)));
    RunPart workers =
        RunPart.ofWorkers(List.of(new WorkerEntry("w", "n", "/r", START, START.plusMillis(1))));
    for (int i = 0; i < 2; i++) {
      calls.put(ALICE, run, head(directory, RunPhase.RUNNING), i == 0 ? 201 : 200);
      calls.add(ALICE, run, tasks, 200);
      calls.add(ALICE, run, attempts, 200);
      calls.add(ALICE, run, workers, 200);
      calls.put(ALICE, run, head(directory, RunPhase.SUCCEEDED), 200);
    }
    JsonNode known = calls.get(ALICE, "/v1/runs/" + run, 200);
    assertThat(known.path("state").asText())
        .as("a run that has ended does not begin again")
        .isEqualTo("SUCCEEDED");
    assertThat(known.path("tasks").asInt()).isEqualTo(1);
    assertThat(known.path("attempts").asInt()).isEqualTo(2);
    assertThat(known.path("output-bytes").asInt()).isEqualTo(60);
    assertThat(Instant.parse(known.path("started").asText())).isEqualTo(START);
  }

  @Test
  void anEntryThatIsToldAgainTakesThePlaceOfTheEarlier() throws Exception {
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
  void ofSeveralWritingsTheOneCountsThatTheFileIs() throws Exception {
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
    calls.get(BOB, RunCalls.lineagePath(directory + "/b"), 404);
    write("other", 10);
    assertThat(calls.lineage(ALICE, directory + "/other").verdict()).isEqualTo(Verdict.UNKNOWN);
    calls.get(ALICE, RunCalls.lineagePath(directory + "/none"), 404);
    calls.get(ALICE, RunCalls.lineagePath(directory), 400);
  }

  @Test
  void aRunIsItsOwnersAndAFilesHistoryItsReaders() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    RunPart tasks = RunPart.ofTasks(List.of(), List.of(task("t", List.of("a"), List.of("b"))));
    calls.add(ALICE, run, tasks, 200);
    calls.add(ALICE, run, RunPart.ofAttempts(List.of(attempt("t", 1, 10))), 200);
    write("b", 20);
    calls.add(BOB, run, tasks, 404);
    calls.get(BOB, "/v1/runs/" + run, 404);
    calls.get(BOB, "/v1/runs/" + run + "?owner=alice", 403);
    calls.get(BOB, "/v1/runs/" + run + "/wfformat", 404);
    calls.get(BOB, "/v1/runs?owner=alice", 403);
    assertThat(calls.get(BOB, "/v1/runs", 200).path("runs")).isEmpty();
    assertThat(calls.delete(BOB, "/v1/runs/" + run)).isEqualTo(404);
    assertThat(calls.lineage(BOB, directory + "/b").verdict())
        .as("the file is of whoever runs this test, not alice's")
        .isEqualTo(Verdict.UNKNOWN);
    Files.setPosixFilePermissions(
        Path.of(directory, "b"), PosixFilePermissions.fromString("rw-------"));
    calls.get(BOB, RunCalls.lineagePath(directory + "/b"), 403);

    String self = UserGroupInformation.getLoginUser().getShortUserName();
    assertThat(calls.get(self, "/v1/runs/" + run, 200).path("owner").asText()).isEqualTo(ALICE);
    assertThat(calls.lineage(self, directory + "/b").attempts()).hasSize(1);
    Path closed = Files.createDirectory(root.resolve("closed-" + run));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    calls.put(BOB, run + ".bob", head(closed.toString(), RunPhase.RUNNING), 403);

    assertThat(calls.delete(ALICE, "/v1/runs/" + run)).isEqualTo(204);
    calls.get(ALICE, "/v1/runs/" + run, 404);
    assertThat(calls.lineage(self, directory + "/b").verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void nobodyTakesTheIdsOfOthers() throws Exception {
    calls.put(BOB, run, head(directory, RunPhase.FAILED), 201);
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    assertThat(calls.get(ALICE, "/v1/runs/" + run, 200).path("state").asText())
        .isEqualTo("RUNNING");
    assertThat(calls.get(BOB, "/v1/runs/" + run, 200).path("state").asText()).isEqualTo("FAILED");
    String self = UserGroupInformation.getLoginUser().getShortUserName();
    JsonNode which = calls.get(self, "/v1/runs/" + run, 400);
    assertThat(which.path("field").asText()).isEqualTo("owner");
    assertThat(which.path("allowed")).extracting(JsonNode::asText).containsExactly(ALICE, BOB);
    assertThat(calls.get(self, "/v1/runs/" + run + "?owner=bob", 200).path("owner").asText())
        .isEqualTo(BOB);
    assertThat(calls.delete(BOB, "/v1/runs/" + run)).isEqualTo(204);
    calls.get(ALICE, "/v1/runs/" + run, 200);
  }

  @Test
  void aUserHasRoomForSoMuchAndHasItAgain() throws Exception {
    String user = "dora";
    calls.put(user, run, head(directory, RunPhase.RUNNING), 201);
    RunPart thousand = RunPart.ofTasks(List.of(), tasks(1_000));
    for (int i = 0; i < 3; i++) {
      calls.add(user, run, thousand, 200);
    }
    JsonNode refused =
        calls.problem(
            "POST",
            "/v1/runs/" + run + "/records",
            user,
            new String(
                ProvenanceJson.write(RunPart.ofTasks(List.of(), tasks(2_000))),
                StandardCharsets.UTF_8),
            403);
    assertThat(refused.path("detail").asText())
        .contains(Limits.RUN_ROWS_PER_USER.key(), "--forget");
    assertThat(calls.get(user, "/v1/runs/" + run, 200).path("tasks").asInt()).isEqualTo(1_000);
    assertThat(calls.delete(user, "/v1/runs/" + run)).isEqualTo(204);
    calls.put(user, run, head(directory, RunPhase.RUNNING), 201);
    assertThat(calls.get(user, "/v1/runs/" + run, 200).path("tasks").asInt()).isZero();
    calls.add(user, run, thousand, 200);
  }

  private static List<TaskEntry> tasks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> task(String.format("t%05d", i), List.of("in"), List.of("o" + i)))
        .toList();
  }

  @Test
  void aLongRunIsExportedPageByPage() throws Exception {
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
  void whatCannotBeUsedIsNamed() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    String records = "/v1/runs/" + run + "/records";
    assertThat(calls.problem("POST", records, ALICE, "{\"colour\":1}", 400).path("field").asText())
        .isEqualTo("/colour");
    String task =
        "{\"tasks\":[{\"id\":\"t\",\"type\":\"x\",\"outputs\":[%s],\"cores\":%s,"
            + "\"memory-bytes\":0}]}";
    JsonNode outside =
        calls.problem("POST", records, ALICE, String.format(task, "\"../x\"", "1"), 400);
    assertThat(outside.path("field").asText()).isEqualTo("/tasks/0");
    assertThat(outside.path("detail").asText()).contains("../x");
    assertThat(
            calls
                .problem("POST", records, ALICE, String.format(task, "", "\"many\""), 400)
                .path("field")
                .asText())
        .isEqualTo("/tasks/0/cores");
    calls.problem("POST", records, ALICE, String.format(task, "\"a\\u0000b\"", "1"), 400);
    calls.problem("POST", records, ALICE, "{", 400);
    calls.problem("POST", records, ALICE, "null", 400);
    calls.problem("PUT", "/v1/runs/-x", ALICE, "{}", 400);
    calls.problem("PUT", "/v1/runs/" + run, ALICE, "{}", 400);
    calls.put(ALICE, run, head(root.toString(), RunPhase.RUNNING), 400);
    calls.add(ALICE, "no-such-run", RunPart.ofWorkers(List.of()), 404);
    calls.get(ALICE, RunCalls.lineagePath("not/absolute"), 400);
  }

  @Test
  void namesMayBeLongAndStrange() throws Exception {
    String file = "d'é\"\\%_<run>:".replace(":", "") + "/" + "λ".repeat(3000);
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
  void manyMayTellOfARunAtATime() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    List<TestServer> servers = servers();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Integer>> tellers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        RunCalls teller = new RunCalls(servers.get(i % servers.size()));
        List<TaskEntry> tasks =
            IntStream.range(i * 10, i * 10 + 20)
                .mapToObj(n -> task("t" + n, List.of("in"), List.of("o" + n)))
                .toList();
        tellers.add(
            () -> {
              teller.add(ALICE, run, RunPart.ofTasks(List.of(new FileEntry("in", 3)), tasks), 200);
              teller.put(ALICE, run + ".new", head(directory, RunPhase.RUNNING), 200);
              return 1;
            });
      }
      calls.put(ALICE, run + ".new", head(directory, RunPhase.RUNNING), 201);
      for (Future<Integer> told : threads.invokeAll(tellers)) {
        assertThat(told.get()).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
      servers.stream().filter(other -> other != server).forEach(TestServer::close);
    }
    assertThat(calls.get(ALICE, "/v1/runs/" + run, 200).path("tasks").asInt()).isEqualTo(130);
  }

  /** Instances of the service over the one database. */
  List<TestServer> servers() throws Exception {
    return List.of(server);
  }

  @Test
  void runsAreListedByPages() throws Exception {
    List<String> ids = IntStream.range(0, 5).mapToObj(i -> run + "." + i).toList();
    for (String id : ids) {
      calls.put("carol", id, head(directory, RunPhase.RUNNING), 201);
    }
    List<String> seen = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = calls.get("carol", "/v1/runs?limit=2" + after, 200);
      page.path("runs").forEach(found -> seen.add(found.path("id").asText()));
      after = page.has("next") ? "&after=" + page.path("next").asText() : "";
    } while (!after.isEmpty());
    assertThat(seen).containsExactly(ids.get(4), ids.get(3), ids.get(2), ids.get(1), ids.get(0));
  }

  @Test
  void aRunIsAnInstanceThatCanBeRunAgain() throws Exception {
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
    calls.add(
        ALICE, run, RunPart.ofAttempts(List.of(attempt("t", 1, 10, wrote("b", 42, null)))), 200);
    JsonNode exported = calls.get(ALICE, "/v1/runs/" + run + "/wfformat", 200);
    Workflow workflow =
        new WfFormatReader().read(exported.toString().getBytes(StandardCharsets.UTF_8), "export");
    assertThat(workflow.name()).isEqualTo("flow");
    Task task = workflow.tasks().get(0);
    assertThat(task.command()).containsExactly("make", "-o", "t");
    assertThat(task.runtimeSeconds()).isEqualTo(6.0);
    assertThat(task.needs()).isEqualTo(new TaskNeeds(2, 1 << 20, 0));
    assertThat(workflow.tasks().get(1).after()).containsExactly("t");
    assertThat(requireNonNull(workflow.files().get("b")).sizeBytes())
        .as("as measured")
        .isEqualTo(42);
    assertThat(requireNonNull(workflow.files().get("a")).sizeBytes()).isEqualTo(5);
    JsonNode execution = exported.path("workflow").path("execution");
    assertThat(execution.path("tasks").path(0).path("machines").path(0).asText())
        .isEqualTo("node1");
    assertThat(execution.path("machines").path(0).path("nodeName").asText()).isEqualTo("node1");
  }

  /**
   * Writes a file of four bytes that seems to have been written so many seconds after the start.
   */
  private void write(String name, int second) throws Exception {
    Files.writeString(Path.of(directory, name), "text");
    setTime(name, second);
  }

  private void setTime(String name, int second) throws Exception {
    Files.setLastModifiedTime(Path.of(directory, name), FileTime.from(START.plusSeconds(second)));
  }
}
