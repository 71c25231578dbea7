package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.locate.rest.Workflows;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.ws.rs.HttpMethod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description covers all that the service does, and nothing else. */
class OpenApiTest {
  private static final String RUN_PART =
      """
      {"files":[{"id":"a","bytes":3}],
       "tasks":[{"id":"t","type":"copy","command":["cp","a","f"],"inputs":["a"],"outputs":["f"],
         "after":[],"cores":1,"memory-bytes":0}],
       "attempts":[{"task":"t","attempt":1,"worker":"w","node":"n","outcome":"SUCCEEDED",
         "exit-code":0,"ready":"2026-11-21T10:00:00Z","dispatched":"2026-11-21T10:00:01Z",
         "times":{"stage-in-local":1,"stage-in-remote":2,"run":3,"stage-out":4},
         "bytes":{"input-local":3,"input-remote":0,"output":10,"output-remote":0},
         "effort":{"cpu-millis":5,"peak-memory-bytes":4096},
         "files":[{"id":"f","output":true,"bytes":10,"crc32c":"0a1b2c3d"}]}],
       "workers":[{"id":"w","node":"n","rack":"/r","started":"2026-11-21T10:00:00Z",
         "ended":"2026-11-21T10:01:00Z"}]}
      """;

  private static final String AUTO = "/v1/auto-replication";

  /** Those of files are checked by LocateClusterTest. */
  private static final List<String> NEEDING_HDFS =
      List.of(AUTO, "/v1/locations", "/v1/placements:rank", "/v1/explain");

  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());

  @TempDir Path root;
  private InMemoryHintStore nameNode;
  private TestServer server;
  private OpenApiClient client;

  @BeforeEach
  void start() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
    nameNode = store.withRole(HintStore.ROLE_NAMENODE);
    server = TestServer.over(store, Map.of("fs.file.impl", AttributedFileSystem.class.getName()));
    server.awaitDatabase();
    client = new OpenApiClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
    nameNode.close();
  }

  @Test
  void describesExactlyAllRoutes() {
    Set<String> routes = new TreeSet<>();
    server.server().resources().forEach(resource -> addRoutes(resource.getClass(), routes));
    assertThat(client.described()).isEqualTo(routes);
  }

  @Test
  void answersMatchDescription() throws Exception {
    answersOfHintSets();
    answersOfHints();
    client.check(
        "POST", "/v1/workflows:infer?directory=/d&nodes=6&replication=3", Workflows.TWO_STEPS, 200);
    answersOfRuns();
    for (String path : List.of("watchers", "status", "openapi.json")) {
      client.check("GET", "/v1/" + path, null, 200);
    }
    client.check("GET", AUTO, null, 403);
    client.check("GET", AUTO + "/profile", null, 403);
    client.check("POST", AUTO + "/profile", "{\"files\":[]}", 403);
    answersWithoutNameNode();
    client.check("DELETE", "/v1/hints?path=" + root, null, 204);
    client.check("DELETE", "/v1/hint-sets/a", null, 204);
    client.check("DELETE", "/v1/runs/r1", null, 204);
    assertThat(client.unseen())
        .as("answers that no call of this test has had, except those that need HDFS")
        .allMatch(answer -> NEEDING_HDFS.stream().anyMatch(answer::contains));
  }

  private void answersOfHintSets() throws Exception {
    String rules = "{\"rules\":[{\"pattern\":\"" + root + "/**\",\"hint\":\"HINT\"}]}";
    String[] hints = {
      "pipeline",
      "broadcast=8",
      "reduce=g",
      "scatter=64m",
      "gather=64m",
      "reuse",
      "auto=1..4",
      "spread",
      "collocate=g",
      "lazy=3,temporary=12h",
      "block=64m,keep,cache"
    };
    int status = 201;
    for (String hint : hints) {
      client.check("PUT", "/v1/hint-sets/a", rules.replace("HINT", hint), status);
      client.check("GET", "/v1/hint-sets/a", null, 200);
      status = 200;
    }
    String tag = client.check("GET", "/v1/hint-sets/a", null, 200);
    client.checkWith("GET", "/v1/hint-sets/a", null, 304, "If-None-Match", tag);
    client.check(
        "PUT", "/v1/hint-sets/a?await=applied&timeout=30s", rules.replace("HINT", "reuse"), 200);
    client.check("PATCH", "/v1/hint-sets/a?await=applied", "{\"remove\":[\"/x\"]}", 200);
    client.check("POST", "/v1/hint-sets/a:keep-alive", "{\"for\":\"1h\"}", 200);
    client.check("GET", "/v1/hint-sets?limit=1", null, 200);
    client.check("PUT", "/v1/hint-sets/b", "{\"rules\":[]}", 201);
    client.check("GET", "/v1/hint-sets?limit=1", null, 200);
  }

  private void answersOfHints() throws Exception {
    client.check("PUT", "/v1/hints?path=" + root, "\"pipeline\"", 201);
    client.check("PUT", "/v1/hints?path=" + root, "{\"hint\":{\"cache\":true}}", 200);
    client.check("GET", "/v1/hints?path=" + root + "/f", null, 200);
  }

  private void answersOfRuns() throws Exception {
    String head =
        "{\"workflow\":\"w\",\"mode\":\"weir\",\"state\":\"RUNNING\",\"data-dir\":\""
            + root
            + "\",\"stand-in\":false,\"started\":\"2026-11-21T10:00:00Z\"}";
    client.check("PUT", "/v1/runs/r1", head, 201);
    client.check("PUT", "/v1/runs/r1", head, 200);
    client.check("POST", "/v1/runs/r1/records", RUN_PART, 200);
    client.check("GET", "/v1/runs/r1", null, 200);
    client.check("GET", "/v1/runs?limit=1", null, 200);
    client.check("GET", "/v1/runs/r1/wfformat", null, 200);
    client.check("GET", "/v1/provenance?path=" + root + "/f", null, 200);
  }

  private void answersWithoutNameNode() throws Exception {
    nameNode.close();
    client.check("PUT", "/v1/hint-sets/b?await=applied&timeout=1ms", "{\"rules\":[]}", 202);
    client.check("PATCH", "/v1/hint-sets/b?await=applied&timeout=1ms", "{}", 202);
    client.check(
        "POST", "/v1/hint-sets/b:keep-alive?await=applied&timeout=1ms", "{\"for\":\"1h\"}", 202);
    client.check("PUT", "/v1/hints?path=" + root + "&await=applied&timeout=1ms", "\"reuse\"", 202);
  }

  @Test
  void refusalsMatchDescription() throws Exception {
    client.check("GET", "/v1/runs/r1", null, 404);
    client.check("POST", "/v1/runs/r1/records", "{\"tasks\":5}", 400);
    client.check("PUT", "/v1/runs/r1", "{}", 400);
    client.check("GET", "/v1/provenance?path=/none", null, 404);
    client.check("GET", "/v1/hint-sets/none", null, 404);
    client.check("DELETE", "/v1/hint-sets/none", null, 404);
    client.check("GET", "/v1/hints?path=/none", null, 404);
    client.check("DELETE", "/v1/hints?path=" + root + "/none", null, 404);
    client.check("PUT", "/v1/hint-sets/c", "{", 400);
    client.check("PATCH", "/v1/hint-sets/c", "{\"rules\":5}", 400);
    client.check("PUT", "/v1/hints?path=x", "{}", 400);
    client.check("GET", "/v1/status?colour=red", null, 400);
    client.check("GET", "/v1/watchers?colour=red", null, 400);
    client.check("GET", "/v1/hint-sets?limit=5000", null, 400);
    client.check("POST", "/v1/locations", "{}", 400);
    client.check("POST", "/v1/placements:rank", "{\"paths\":[5]}", 400);
    client.check("GET", "/v1/explain?path=x", null, 400);
    client.check("POST", "/v1/workflows:infer?directory=/d", "{}", 400);
    client.check("PUT", "/v1/hints?path=/none/x", "\"pipeline\"", 403);
  }

  private static void addRoutes(Class<?> resource, Set<String> routes) {
    String base = resource.getAnnotation(javax.ws.rs.Path.class).value();
    for (Method method : resource.getDeclaredMethods()) {
      for (Annotation annotation : method.getAnnotations()) {
        HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
        if (verb != null) {
          javax.ws.rs.Path below = method.getAnnotation(javax.ws.rs.Path.class);
          String path = "/v1/" + base + (below == null ? "" : "/" + below.value());
          routes.add(verb.value() + " " + path.replaceAll("\\{(\\w+):[^}]*\\}", "{$1}"));
        }
      }
    }
  }
}
