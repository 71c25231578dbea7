package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.AttributedFileSystem;
import dev.weir.service.Backends;
import dev.weir.service.TestServer;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.HdfsWithCacheCapacity;
import dev.weir.service.access.HintAttributes;
import dev.weir.service.access.ProxyUserFileSystems;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintsResourceTest {
  @TempDir Path root;
  private Path open;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of(
                "weir.server.admins",
                "boss",
                "fs.file.impl",
                AttributedFileSystem.class.getName()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void directoryHintCoversAllFiles() throws Exception {
    HttpResponse<String> made = put("alice", open.toString(), "\"pipeline\"");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(json(made).path("id").textValue()).matches("path-[0-9a-f]{32}");
    assertThat(json(made).has("expires")).isFalse();
    assertThat(AttributedFileSystem.attribute(open.toString(), HintAttributes.NAME)).isPresent();

    JsonNode effective = json(server.send("GET", hints("bob", open + "/a/b.fits")));
    assertThat(effective.path("pattern").textValue()).isEqualTo(open + "/**");
    assertThat(effective.path("owner").textValue()).isEqualTo("alice");
    assertThat(effective.path("hint").path("placement").path("kind").textValue())
        .isEqualTo("local");
    assertThat(effective.path("version").asLong()).isEqualTo(json(made).path("version").asLong());
    assertThat(server.send("GET", hints("bob", open + "/")).statusCode()).isEqualTo(200);

    assertThat(put("alice", open + "/", "{\"hint\":\"reuse\"}").statusCode()).isEqualTo(200);
    assertThat(server.send("DELETE", hints("alice", open.toString())).statusCode()).isEqualTo(204);
    assertThat(AttributedFileSystem.attribute(open.toString(), HintAttributes.NAME)).isEmpty();
    assertThat(server.send("DELETE", hints("alice", open.toString())).statusCode()).isEqualTo(404);
    assertThat(server.send("GET", hints("alice", open + "/a")).statusCode()).isEqualTo(404);
  }

  @Test
  void pathHintsCountAsSets() throws Exception {
    server.close();
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of("weir.server.limits.sets-per-user", "1"));
    assertThat(put("alice", open + "/a", "\"pipeline\"").statusCode()).isEqualTo(201);
    assertThat(put("alice", open + "/a", "\"reuse\"").statusCode()).isEqualTo(200);
    HttpResponse<String> more = put("alice", open + "/b", "\"pipeline\"");
    assertThat(more.statusCode()).isEqualTo(403);
    assertThat(more.body()).contains("limits.sets-per-user").contains("\"field\":\"path\"");
  }

  @Test
  void pathSetCannotBeChangedAsSet() throws Exception {
    String id = json(put("alice", open + "/a", "\"pipeline\"")).path("id").textValue();
    String rule = "{\"rules\":[{\"pattern\":\"" + open + "/b\",\"hint\":\"pipeline\"}]}";
    for (String method : new String[] {"PUT", "PATCH"}) {
      String path = "/v1/hint-sets/" + id + "?user.name=alice";
      assertThat(server.sendJson(method, path, rule).statusCode()).as(method).isEqualTo(403);
    }
  }

  @Test
  void acceptsFuturePathAndPattern() throws Exception {
    HttpResponse<String> made = put("alice", open + "/to-come", "\"pipeline\"");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(json(made).has("expires")).as("nothing else ends it").isTrue();
    assertThat(put("alice", open + "/x*.fits", "\"reuse\"").statusCode()).isEqualTo(201);
    assertThat(json(server.send("GET", hints("a", open + "/x1.fits"))).path("pattern").textValue())
        .isEqualTo(open + "/x*.fits");
    assertThat(server.send("DELETE", hints("alice", open + "/x*.fits")).statusCode())
        .isEqualTo(204);
  }

  @Test
  void trailingSlashMeansFutureDirectory() throws Exception {
    HttpResponse<String> file = put("alice", open + "/later", "\"pipeline\"");
    assertThat(json(file).path("pattern").textValue()).isEqualTo(open + "/later");
    HttpResponse<String> made = put("alice", open + "/later/", "\"pipeline\"");
    assertThat(made.statusCode()).as("the same path's").isEqualTo(200);
    assertThat(json(made).path("pattern").textValue()).isEqualTo(open + "/later/**");
    assertThat(server.send("GET", hints("a", open + "/later/a")).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> putText(String type) throws Exception {
    return server.send(
        server
            .request(hints("alice", open + "/f"))
            .header("Content-Type", type)
            .PUT(HttpRequest.BodyPublishers.ofString("pipeline\n")));
  }

  @Test
  void acceptsTextForm() throws Exception {
    assertThat(putText("text/plain").statusCode()).isEqualTo(201);
  }

  /** {@code curl -d} sends a form unless it is told another type. */
  @Test
  void refusesAFormWithTheRemedy() throws Exception {
    HttpResponse<String> refused = putText("application/x-www-form-urlencoded");
    assertThat(refused.statusCode()).isEqualTo(415);
    assertThat(refused.body()).contains("'Content-Type: text/plain'");
  }

  @Test
  void warnsIfFilesCannotBeCached() throws Exception {
    server.close();
    Backends usual = TestServer.backends(new InMemoryHintStore(Clock.systemUTC()));
    server =
        new TestServer(
            new Backends(
                usual.store(),
                conf ->
                    new HdfsWithCacheCapacity(
                        new ProxyUserFileSystems(conf, CallerSettings.from(conf)), 0),
                usual.elections(),
                usual.clock()),
            Map.of());
    for (String hint : new String[] {"\"reuse\"", "{\"cache\":true}"}) {
      assertThat(json(put("alice", open + "/f", hint)).path("warnings").path(0).textValue())
          .contains("dfs.datanode.max.locked.memory");
    }
    assertThat(json(put("alice", open + "/f", "\"pipeline\"")).has("warnings")).isFalse();
    String rule = "{\"rules\":[{\"pattern\":\"" + open + "/b\",\"hint\":\"cache\"}]}";
    for (String method : new String[] {"PUT", "PATCH"}) {
      HttpResponse<String> written =
          server.sendJson(method, "/v1/hint-sets/s?user.name=alice", rule);
      assertThat(json(written).path("warnings")).as(written.body()).hasSize(1);
    }
  }

  @Test
  void hintNeedsWritePermission() throws Exception {
    assertThat(put("alice", root + "/x", "\"pipeline\"").statusCode()).isEqualTo(403);
    assertThat(put("alice", root.toString(), "\"pipeline\"").statusCode()).isEqualTo(403);
    assertThat(put("boss", root.toString(), "\"pipeline\"").statusCode()).isEqualTo(201);
    assertThat(AttributedFileSystem.attribute(root.toString(), HintAttributes.NAME)).isPresent();
    HttpResponse<String> refused = server.send("DELETE", hints("alice", root.toString()));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(json(refused).path("field").textValue()).isEqualTo("path");
  }

  @Test
  void invalidInputNamesField() throws Exception {
    assertField(put("alice", "relative", "\"pipeline\""), "path");
    assertField(put("alice", "hdfs://elsewhere/x", "\"pipeline\""), "");
    assertField(put("alice", open + "/f", "\"no such preset\""), "");
    assertField(put("alice", open + "/f", "{\"hint\":{\"cache\":5}}"), "/hint/cache");
    assertField(put("alice", open + "/f", "{\"hint\":\"reuse\",\"x\":1}"), "/x");
    assertField(put("alice", open + "/f", "{\"hint\":\"reuse\",\"expires\":1}"), "/expires");
    String past = "{\"hint\":\"reuse\",\"expires\":\"2001-01-01T00:00:00Z\"}";
    assertField(put("alice", open + "/f", past), "/expires");
    assertField(server.send("GET", "/v1/hints"), "path");
    assertField(server.send("GET", "/v1/hints?path=/a&path=/b"), "path");
  }

  @Test
  void setsAreListedInPages() throws Exception {
    for (String name : new String[] {"c", "a", "b"}) {
      server.sendJson("PUT", "/v1/hint-sets/run-" + name + "?user.name=alice", "{\"rules\":[]}");
    }
    server.sendJson("PUT", "/v1/hint-sets/other?user.name=bob", "{\"rules\":[]}");
    JsonNode first = json(server.send("GET", "/v1/hint-sets?owner=alice&limit=2"));
    assertThat(first.path("hint-sets").findValuesAsText("id")).containsExactly("run-a", "run-b");
    assertThat(first.path("next").textValue()).isEqualTo("run-b");
    JsonNode second = json(server.send("GET", "/v1/hint-sets?owner=alice&limit=2&after=run-b"));
    assertThat(second.path("hint-sets").findValuesAsText("id")).containsExactly("run-c");
    assertThat(second.has("next")).isFalse();
    assertThat(json(server.send("GET", "/v1/hint-sets?prefix=oth")).path("hint-sets")).hasSize(1);
    assertField(server.send("GET", "/v1/hint-sets?limit=0"), "limit");
    assertField(server.send("GET", "/v1/hint-sets?limit=x"), "limit");
  }

  private HttpResponse<String> put(String user, String path, String body) throws Exception {
    return server.sendJson("PUT", hints(user, path), body);
  }

  private static String hints(String user, String path) {
    return "/v1/hints?user.name="
        + user
        + "&path="
        + URLEncoder.encode(path, StandardCharsets.UTF_8);
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  private static void assertField(HttpResponse<String> answer, String field) throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).path("field").textValue()).as(answer.body()).isEqualTo(field);
  }
}
