package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.service.TestServer;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about runs over HTTP, and values to send. */
final class RunClient {
  /** The start of the tests' runs. */
  static final Instant START = Instant.parse("2026-11-21T10:00:00.123Z");

  private final TestServer server;

  RunClient(TestServer server) {
    this.server = server;
  }

  static RunHead head(String directory, RunPhase phase) {
    Instant ended = phase == RunPhase.RUNNING ? null : START.plusSeconds(600);
    return new RunHead("flow", "weir", phase, directory, false, START, ended, null, null);
  }

  static TaskEntry task(String id, List<String> inputs, List<String> outputs) {
    return new TaskEntry(
        id, "make", List.of("make", "-o", id), inputs, outputs, List.of(), 2, 1 << 20);
  }

  /** An attempt that began a number of seconds after the start and took ten. */
  static AttemptEntry attempt(String task, int number, int second, FileUse... files) {
    Instant begun = START.plusSeconds(second);
    return new AttemptEntry(
        task,
        number,
        "worker-1",
        "node1",
        Outcome.SUCCEEDED,
        0,
        begun.minusSeconds(1),
        begun,
        new AttemptEntry.Times(1000, 2000, 6000, 1000),
        new AttemptEntry.Bytes(10, 20, 30, 0),
        null,
        List.of(files));
  }

  /** An attempt with the resource usage of its command; null if not known. */
  static AttemptEntry withEffort(AttemptEntry attempt, @Nullable ResourceUse effort) {
    return new AttemptEntry(
        attempt.task(),
        attempt.attempt(),
        attempt.worker(),
        attempt.node(),
        attempt.outcome(),
        attempt.exitCode(),
        attempt.ready(),
        attempt.dispatched(),
        attempt.times(),
        attempt.bytes(),
        effort,
        attempt.files());
  }

  static FileUse wrote(String id, long bytes, @Nullable String crc) {
    return new FileUse(id, true, bytes, crc, null);
  }

  void put(String user, String run, RunHead head, int status) throws Exception {
    expect(status, send("PUT", "/v1/runs/" + run, user, ProvenanceJson.write(head)));
  }

  void add(String user, String run, RunPart part, int status) throws Exception {
    expect(status, send("POST", "/v1/runs/" + run + "/records", user, ProvenanceJson.write(part)));
  }

  JsonNode problem(String method, String path, String user, String body, int status)
      throws Exception {
    return expect(status, send(method, path, user, body.getBytes(StandardCharsets.UTF_8)));
  }

  JsonNode get(String user, String path, int status) throws Exception {
    return expect(status, server.send("GET", as(user, path)));
  }

  int delete(String user, String path) throws Exception {
    return server.send("DELETE", as(user, path)).statusCode();
  }

  Lineage lineage(String user, String path) throws Exception {
    return ProvenanceJson.read(get(user, lineagePath(path), 200), Lineage.class);
  }

  static String lineagePath(String path) {
    return "/v1/provenance?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
  }

  private HttpResponse<String> send(String method, String path, String user, byte[] body)
      throws Exception {
    return server.sendJson(method, as(user, path), new String(body, StandardCharsets.UTF_8));
  }

  private static String as(String user, String path) {
    return path + (path.contains("?") ? "&" : "?") + "user.name=" + user;
  }

  private static JsonNode expect(int status, HttpResponse<String> answer) throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return new ObjectMapper().readTree(answer.body());
  }
}
