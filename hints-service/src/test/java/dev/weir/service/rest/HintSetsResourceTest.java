package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.HintSet;
import dev.weir.hints.index.SetMemory;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintSetsResourceTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path root;
  private Path open;
  private Path closed;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    closed = Files.createDirectory(root.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of(
                "weir.server.admins", "boss",
                "weir.server.limits.body", "64k",
                "weir.server.limits.rules-per-set", "20"));
  }

  @Test
  void refusesSetsForWhichThereIsNoRoom() throws Exception {
    HintSet first = new HintSet("s", "alice", null, List.of());
    long memory = 3 * SetMemory.bytes(first) + 1_000;
    try (TestServer small =
        TestServer.over(new InMemoryHintStore(Clock.systemUTC(), memory), Map.of())) {
      TestServer large = server;
      server = small;
      assertThat(put("alice", "one", rule(open + "/x", "pipeline")).statusCode()).isEqualTo(201);
      HttpResponse<String> refused = put("alice", "two", rules(10));
      assertProblem(refused, 507, "/rules");
      assertThat(refused.body())
          .contains("weir.hints.memory")
          .contains("remove sets that are no longer needed");
      assertThat(put("alice", "one", rule(open + "/x", "pipeline")).statusCode())
          .as("a set that does not grow")
          .isEqualTo(200);
      server = large;
    }
  }

  @Test
  void refusesMoreRulesThanAnOwnerMayHave() throws Exception {
    try (TestServer small =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of("weir.server.limits.rules-per-user", "5", "weir.server.admins", "boss"))) {
      TestServer large = server;
      server = small;
      assertThat(put("alice", "one", rules(3)).statusCode()).isEqualTo(201);
      HttpResponse<String> refused = put("alice", "two", rules(3));
      assertProblem(refused, 507, "/rules");
      assertThat(refused.body()).contains("weir.server.limits.rules-per-user");
      assertThat(put("alice", "two", rules(2)).statusCode()).isEqualTo(201);
      assertThat(put("alice", "one", rules(2)).statusCode()).isEqualTo(200);
      assertThat(put("bob", "three", rules(5)).statusCode()).isEqualTo(201);
      assertThat(put("boss", "four", rules(6)).statusCode()).isEqualTo(201);
      server = large;
    }
  }

  private String rules(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> rule(open + "/file-" + i, "pipeline"))
        .collect(Collectors.joining(","));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void putsReadsReplacesAndRemovesSet() throws Exception {
    HttpResponse<String> made = put("alice", "run-1", rule(open + "/**", "pipeline"));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    String tag = made.headers().firstValue("ETag").orElseThrow();
    JsonNode written = json(made);
    assertThat(tag).isEqualTo("\"" + written.path("version").asLong() + "\"");
    assertThat(written.path("rules").intValue()).isEqualTo(1);
    assertThat(written.has("applied")).isFalse();
    assertThat(written.path("expires").textValue()).isNotEmpty();

    HttpResponse<String> read = server.send("GET", "/v1/hint-sets/run-1?user.name=bob");
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(json(read).path("owner").textValue()).isEqualTo("alice");
    assertThat(json(read).path("rules").path(0).path("pattern").textValue())
        .isEqualTo(open + "/**");
    assertThat(read.headers().firstValue("ETag")).hasValue(tag);
    assertThat(server.send("GET", "/v1/hint-sets/run-1", "If-None-Match", tag).statusCode())
        .isEqualTo(304);

    assertThat(put("alice", "run-1", rule(open + "/x", "reuse")).statusCode()).isEqualTo(200);
    assertThat(
            server
                .send("DELETE", "/v1/hint-sets/run-1?user.name=alice", "If-Match", tag)
                .statusCode())
        .isEqualTo(412);
    assertThat(server.send("DELETE", "/v1/hint-sets/run-1?user.name=alice").statusCode())
        .isEqualTo(204);
    assertThat(server.send("GET", "/v1/hint-sets/run-1").statusCode()).isEqualTo(404);
    assertThat(server.send("DELETE", "/v1/hint-sets/run-1?user.name=alice").statusCode())
        .isEqualTo(404);
  }

  @Test
  void ruleNeedsWritePermission() throws Exception {
    HttpResponse<String> refused = put("alice", "s", rule(closed + "/new/deep/*", "pipeline"));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(json(refused).path("field").textValue()).isEqualTo("/rules/0");
    assertThat(json(refused).path("detail").textValue())
        .contains("rule 0")
        .contains("alice may not write " + closed);
    assertThat(put("boss", "s", rule(closed + "/new/*", "pipeline")).statusCode()).isEqualTo(201);
    assertThat(put("alice", "s", rule(open + "/x", "pipeline")).statusCode()).isEqualTo(403);
    assertThat(server.send("DELETE", "/v1/hint-sets/s?user.name=alice").statusCode())
        .isEqualTo(403);
  }

  @Test
  void checksManyRules() throws Exception {
    List<String> rules = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      rules.add("{\"pattern\":\"" + open + "/new/f" + i + "\",\"hint\":\"pipeline\"}");
    }
    assertThat(put("alice", "many", String.join(",", rules)).statusCode()).isEqualTo(201);
    rules.set(12, rule(closed + "/f", "pipeline"));
    HttpResponse<String> refused = put("alice", "many", String.join(",", rules));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(json(refused).path("field").textValue()).isEqualTo("/rules/12");
  }

  @Test
  void stickyDirectoryRefusesWildcards() throws Exception {
    Files.createDirectory(open.resolve("sticky"));
    new ProcessBuilder("chmod", "1777", open + "/sticky").start().waitFor();
    assertThat(put("alice", "a", rule(open + "/sticky/**", "pipeline")).statusCode())
        .isEqualTo(403);
    assertThat(put("alice", "b", rule(open + "/sticky/alice/**", "pipeline")).statusCode())
        .isEqualTo(201);
  }

  @Test
  void refusalNamesLimit() throws Exception {
    assertLimit(put("alice", "s", rule(open + "/x", "broadcast(33)")), "limits.replication");
    StringBuilder rules = new StringBuilder(rule(open + "/x", "pipeline"));
    for (int i = 0; i < 20; i++) {
      rules.append(',').append(rule(open + "/x" + i, "pipeline"));
    }
    assertLimit(put("alice", "s", rules.toString()), "limits.rules-per-set");
    HttpResponse<String> late =
        server.sendJson(
            "PUT",
            "/v1/hint-sets/s?user.name=alice",
            "{\"expires\":\"2999-01-01T00:00:00Z\",\"rules\":[]}");
    assertLimit(late, "limits.lifetime");
    HttpResponse<String> nodes =
        server.sendJson(
            "PUT",
            "/v1/hint-sets/s?user.name=alice",
            "{\"rules\":[{\"pattern\":\""
                + open
                + "/x\",\"hint\":{\"placement\":{\"kind\":\"nodes\",\"hosts\":[\"n1\"]}}}]}");
    assertLimit(nodes, "weir.server.admins");
  }

  @Test
  void patchAddsReplacesAndRemovesRules() throws Exception {
    put("alice", "p", rule(open + "/a", "pipeline") + "," + rule(open + "/b", "pipeline"));
    HttpResponse<String> patched =
        server.sendJson(
            "PATCH",
            "/v1/hint-sets/p?user.name=alice",
            "{\"rules\":["
                + rule(open + "/c", "reuse")
                + ","
                + rule(open + "/a", "reuse")
                + "],\"remove\":[\""
                + open
                + "/b\"]}");
    assertThat(patched.statusCode()).as(patched.body()).isEqualTo(200);
    JsonNode rules = json(server.send("GET", "/v1/hint-sets/p")).path("rules");
    assertThat(rules).hasSize(2);
    assertThat(rules.path(0).path("pattern").textValue()).isEqualTo(open + "/a");
    assertThat(rules.path(1).path("pattern").textValue()).isEqualTo(open + "/c");
    assertThat(
            server
                .sendJson("PATCH", "/v1/hint-sets/none?user.name=alice", "{\"rules\":[]}")
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void concurrentPatchesAreNotLost() throws Exception {
    put("alice", "many", rule(open + "/x", "pipeline"));
    ExecutorService clients = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> patches = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String body = "{\"rules\":[" + rule(open + "/y" + i, "pipeline") + "]}";
        patches.add(
            () ->
                server.sendJson("PATCH", "/v1/hint-sets/many?user.name=alice", body).statusCode());
      }
      for (Future<Integer> status : clients.invokeAll(patches)) {
        assertThat(status.get()).isEqualTo(200);
      }
    } finally {
      clients.shutdownNow();
    }
    assertThat(json(server.send("GET", "/v1/hint-sets/many")).path("rules")).hasSize(17);
  }

  @Test
  void keepAliveExtendsSet() throws Exception {
    put("alice", "k", rule(open + "/x", "pipeline"));
    for (String body : List.of("{\"for\":\"12h\"}", "{\"for\":\"PT12H\"}")) {
      HttpResponse<String> kept =
          server.sendJson("POST", "/v1/hint-sets/k:keep-alive?user.name=alice", body);
      assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
    }
    HttpResponse<String> wrong =
        server.sendJson("POST", "/v1/hint-sets/k:keep-alive?user.name=alice", "{\"for\":\"x\"}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(json(wrong).path("field").textValue()).isEqualTo("/for");
  }

  @Test
  void invalidInputIsProblem() throws Exception {
    String url = "/v1/hint-sets/bad?user.name=alice";
    assertProblem(server.sendJson("PUT", url, ""), 400, "");
    assertProblem(server.sendJson("PUT", url, "{"), 400, "");
    assertProblem(server.sendJson("PUT", url, "[]"), 400, "");
    assertProblem(server.sendJson("PUT", url, "{\"rules\":5}"), 400, "/rules");
    assertProblem(server.sendJson("PUT", url, "{\"rules\":[],\"colour\":1}"), 400, "/colour");
    assertProblem(
        server.sendJson("PUT", url, "{\"rules\":[" + rule("a/b", "pipeline") + "]}"),
        400,
        "/rules/0/pattern");
    assertProblem(server.sendJson("PATCH", url, "{\"remove\":[5]}"), 400, "/remove/0");
    assertThat(json(server.sendJson("PUT", url, "{}")).path("detail").textValue())
        .startsWith("has no field 'rules'");
    assertProblem(server.sendJson("PUT", url, "[".repeat(30_000)), 400, "");
    assertProblem(server.sendJson("PUT", url, " ".repeat(70_000)), 413, "");
    assertProblem(
        server.send(
            server
                .request(url)
                .header("Content-Type", "application/json")
                .PUT(
                    HttpRequest.BodyPublishers.ofByteArrays(
                        List.of(
                            " ".repeat(40_000).getBytes(StandardCharsets.UTF_8),
                            " ".repeat(40_000).getBytes(StandardCharsets.UTF_8))))),
        413,
        "");
    assertProblem(server.sendJson("PUT", url + "&await=never", "{}"), 400, "await");
    assertProblem(server.sendJson("PUT", url + "&colour=red", "{}"), 400, "colour");
    assertProblem(server.sendJson("PUT", "/v1/hint-sets/.x", "{\"rules\":[]}"), 400, null);
    assertProblem(server.sendJson("PUT", "/v1/hint-sets/a%20b", "{\"rules\":[]}"), 400, null);
    assertProblem(server.send("GET", "/v1/hint-sets/a%2Fb"), 400, null);
    assertProblem(server.sendJson("PUT", url, "{\"rules\":[]}", "If-Match", "5"), 400, "If-Match");
    assertProblem(server.sendJson("PUT", url, "{\"rules\":[]}", "If-Match", "\"5\""), 412, null);
    HttpResponse<String> form =
        server.send(
            server
                .request(url)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(HttpRequest.BodyPublishers.ofString("{}")));
    assertProblem(form, 415, null);
    assertProblem(server.sendJson("PUT", url, "{}", "Content-Encoding", "gzip"), 415, null);
    HttpResponse<String> method = server.sendJson("POST", url, "{}");
    assertProblem(method, 405, null);
    assertThat(method.headers().firstValue("Allow").orElseThrow()).contains("PUT");
    assertProblem(server.send("GET", "/v1/hint-sets/x", "Accept", "text/html"), 406, null);
  }

  private HttpResponse<String> put(String user, String id, String rules) throws Exception {
    return server.sendJson(
        "PUT", "/v1/hint-sets/" + id + "?user.name=" + user, "{\"rules\":[" + rules + "]}");
  }

  private static String rule(String pattern, String hint) {
    return "{\"pattern\":\"" + pattern + "\",\"hint\":\"" + hint + "\"}";
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return MAPPER.readTree(answer.body());
  }

  private static void assertLimit(HttpResponse<String> answer, String limit) throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(json(answer).path("detail").textValue()).contains(limit);
  }

  private static void assertProblem(HttpResponse<String> answer, int status, @Nullable String field)
      throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
    assertThat(json(answer).path("status").intValue()).isEqualTo(status);
    if (field != null) {
      assertThat(json(answer).path("field").textValue()).as(answer.body()).isEqualTo(field);
    }
  }
}
