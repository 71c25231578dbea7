package dev.weir.service.runs;

import static dev.weir.service.runs.RunClient.START;
import static dev.weir.service.runs.RunClient.attempt;
import static dev.weir.service.runs.RunClient.head;
import static dev.weir.service.runs.RunClient.task;
import static dev.weir.service.runs.RunClient.wrote;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.service.TestServer;
import dev.weir.service.access.HintLimits;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.provenance.WorkerEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/**
 * The calls on runs, for every kind of database, over HTTP and with files of this machine. A
 * database is tested with this and with all of {@link FileHistoryContract}.
 */
abstract class RunsContract extends FileHistoryContract {

  @Test
  void repeatedReportsCountOnce() throws Exception {
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
  void runIsVisibleToOwnerAndLineageToReaders() throws Exception {
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
        .as("the file belongs to the user that runs this test, not to alice")
        .isEqualTo(Verdict.UNKNOWN);
    Files.setPosixFilePermissions(
        Path.of(directory, "b"), PosixFilePermissions.fromString("rw-------"));
    calls.get(BOB, RunClient.lineagePath(directory + "/b"), 403);

    String self = UserGroupInformation.getLoginUser().getShortUserName();
    assertThat(calls.get(self, "/v1/runs/" + run, 200).path("owner").asText()).isEqualTo(ALICE);
    assertThat(calls.problem("DELETE", "/v1/runs/" + run, self, "", 400).path("allowed"))
        .as("what is removed is not guessed")
        .extracting(JsonNode::asText)
        .containsExactly(ALICE);
    calls.add(self, run, tasks, 400);
    String named = "/v1/runs/" + run + "/records?owner=alice";
    calls.problem("POST", named, self, "{\"files\":[]}", 200);
    assertThat(calls.lineage(self, directory + "/b").attempts()).hasSize(1);
    Path closed = Files.createDirectory(root.resolve("closed-" + run));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    calls.put(BOB, run + ".bob", head(closed.toString(), RunPhase.RUNNING), 403);

    assertThat(calls.delete(ALICE, "/v1/runs/" + run)).isEqualTo(204);
    calls.get(ALICE, "/v1/runs/" + run, 404);
    assertThat(calls.lineage(self, directory + "/b").verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void usersMayUseEqualIds() throws Exception {
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
  void enforcesRowLimitUntilRunIsRemoved() throws Exception {
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
        .contains(HintLimits.RUN_ROWS_PER_USER.key(), "--forget");
    assertThat(calls.get(user, "/v1/runs/" + run, 200).path("tasks").asInt()).isEqualTo(1_000);
    assertThat(calls.delete(user, "/v1/runs/" + run)).isEqualTo(204);
    calls.put(user, run, head(directory, RunPhase.RUNNING), 201);
    assertThat(calls.get(user, "/v1/runs/" + run, 200).path("tasks").asInt()).isZero();
    calls.add(user, run, thousand, 200);
  }

  @Test
  void namesInvalidField() throws Exception {
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
    calls.get(ALICE, RunClient.lineagePath("not/absolute"), 400);
  }

  @Test
  void acceptsConcurrentReports() throws Exception {
    calls.put(ALICE, run, head(directory, RunPhase.RUNNING), 201);
    List<TestServer> servers = servers();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Integer>> reports = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        RunClient reporter = new RunClient(servers.get(i % servers.size()));
        List<TaskEntry> tasks =
            IntStream.range(i * 10, i * 10 + 20)
                .mapToObj(n -> task("t" + n, List.of("in"), List.of("o" + n)))
                .toList();
        reports.add(
            () -> {
              reporter.add(
                  ALICE, run, RunPart.ofTasks(List.of(new FileEntry("in", 3)), tasks), 200);
              reporter.put(ALICE, run + ".new", head(directory, RunPhase.RUNNING), 200);
              return 1;
            });
      }
      calls.put(ALICE, run + ".new", head(directory, RunPhase.RUNNING), 201);
      for (Future<Integer> description : threads.invokeAll(reports)) {
        assertThat(description.get()).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
      servers.stream().filter(other -> other != server).forEach(TestServer::close);
    }
    assertThat(calls.get(ALICE, "/v1/runs/" + run, 200).path("tasks").asInt()).isEqualTo(130);
  }

  @Test
  void runsAreListedByPages() throws Exception {
    List<String> ids = IntStream.range(0, 5).mapToObj(i -> run + "." + i).toList();
    for (String id : ids) {
      calls.put("carol", id, head(directory, RunPhase.RUNNING), 201);
    }
    List<String> file = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = calls.get("carol", "/v1/runs?limit=2" + after, 200);
      page.path("runs").forEach(found -> file.add(found.path("id").asText()));
      after = page.has("next") ? "&after=" + page.path("next").asText() : "";
    } while (!after.isEmpty());
    assertThat(file).containsExactly(ids.get(4), ids.get(3), ids.get(2), ids.get(1), ids.get(0));
  }
}
