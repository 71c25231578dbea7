package dev.weir.service.locate.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.workflow.infer.LinkSpeed;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls refuse invalid requests, and say where the error is and what to write instead. */
class LocateResourcesTest {
  private static final String LOCATIONS = "/v1/locations";
  private static final String RANK = "/v1/placements:rank";
  private static final String INFER = "/v1/workflows:infer";

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void bodiesAreReadStrictly() throws Exception {
    for (String call : new String[] {LOCATIONS, RANK}) {
      assertField(call, "[]", "");
      assertField(call, "{\"paths\":", "");
      assertField(call, "{}", "/paths");
      assertField(call, "{\"paths\":\"/a\"}", "/paths");
      assertField(call, "{\"paths\":[\"/a\",5]}", "/paths/1");
      assertField(call, "{\"paths\":[],\"a/b\":1}", "/a~1b");
      assertField(call + "?colour=red", "{\"paths\":[]}", "colour");
    }
    assertField(LOCATIONS, "{\"paths\":[],\"limit\":1}", "/limit");
    assertField(RANK, "{\"paths\":[],\"limit\":0}", "/limit");
    assertField(RANK, "{\"paths\":[],\"limit\":\"1\"}", "/limit");
  }

  @Test
  void pathsAreAbsoluteAndCanonical() throws Exception {
    String[] refused = {
      "", "a", "a/b", "/a//b", "/a/./b", "/a/../b", "/a/", "file:///a", "/a\\u0000"
    };
    for (String path : refused) {
      assertField(LOCATIONS, "{\"paths\":[\"/fine\",\"" + path + "\"]}", "/paths/1");
    }
  }

  @Test
  void rejectsMoreThanTenThousandPaths() throws Exception {
    String paths = String.join(",", Collections.nCopies(10_001, "\"/none\""));
    JsonNode problem = assertField(LOCATIONS, "{\"paths\":[" + paths + "]}", "/paths");
    assertThat(problem.path("detail").textValue()).contains("10001").contains("at most 10000");
  }

  @Test
  void anUnknownFileSystemIsRefused() throws Exception {
    assertThat(post(LOCATIONS, "{\"paths\":[\"hdfs://elsewhere/a\"]}").statusCode()).isEqualTo(400);
    assertThat(server.send("GET", "/v1/explain").statusCode()).isEqualTo(400);
    assertThat(server.send("GET", "/v1/explain?path=x").statusCode()).isEqualTo(400);
  }

  @Test
  void workflowsAreReadStrictly() throws Exception {
    String where = "?directory=/d&nodes=6&replication=3";
    assertThat(post(INFER + where, Workflows.TWO_STEPS).statusCode()).isEqualTo(200);
    assertField(INFER + "?nodes=6&replication=3", Workflows.TWO_STEPS, "directory");
    assertField(INFER + "?directory=d&nodes=6&replication=3", Workflows.TWO_STEPS, "directory");
    assertField(INFER + where + "&format=dax", Workflows.TWO_STEPS, "format");
    assertField(INFER + "?directory=/d&nodes=0", Workflows.TWO_STEPS, "nodes");
    assertField(INFER + "?directory=/d&replication=3", Workflows.TWO_STEPS, "nodes");
    assertField(INFER + where, "{", "");
    JsonNode problem =
        assertField(
            INFER + where,
            Workflows.TWO_STEPS.replace("\"sizeInBytes\": 1000", "\"sizeInBytes\": -1"),
            "/workflow/specification/files/0/sizeInBytes");
    assertThat(problem.path("detail").textValue()).contains("0 or more");
  }

  @Test
  void inferenceUsesConfiguredLinkRate() throws Exception {
    String call = INFER + "?directory=/d&nodes=8&replication=3";
    String readByMany = Workflows.readByMany(40, 20_000);
    assertThat(post(call, readByMany).body()).doesNotContain("broadcast");

    try (TestServer slow =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()), Map.of(LinkSpeed.KEY, "1250000"))) {
      assertThat(slow.sendJson("POST", call, readByMany).body())
          .contains("broadcast")
          .contains("1.3 MB/s");
    }
  }

  private HttpResponse<String> post(String call, String body) throws Exception {
    return server.sendJson("POST", call, body);
  }

  private JsonNode assertField(String call, String body, String field) throws Exception {
    HttpResponse<String> answer = post(call, body);
    String what = call + " " + answer.body();
    assertThat(answer.statusCode()).as(what).isEqualTo(400);
    JsonNode problem = new ObjectMapper().readTree(answer.body());
    assertThat(problem.path("field").textValue()).as(what).isEqualTo(field);
    return problem;
  }
}
