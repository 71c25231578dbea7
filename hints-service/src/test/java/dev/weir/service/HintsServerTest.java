package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.access.HintLimits;
import dev.weir.service.part.LeaderTask;
import dev.weir.service.reconcile.ReconcilerPart;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HintsServerTest {
  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.over(store, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void withKerberosTlsIsRequiredUnlessAllowed() {
    Configuration conf = new Configuration(false);
    assertThatThrownBy(() -> requireTls(true, conf))
        .hasMessageContaining("weir.server.http.policy to HTTPS_ONLY");
    requireTls(false, conf);
    conf.set("weir.server.http.policy", "HTTP_AND_HTTPS");
    assertThatThrownBy(() -> requireTls(true, conf)).hasMessageContaining("without TLS");
    conf.set("weir.server.http.policy", "HTTPS_ONLY");
    requireTls(true, conf);
    conf.set("weir.server.http.policy", "HTTP_ONLY");
    conf.set("weir.server.http.allowed-with-kerberos", "true");
    requireTls(true, conf);
  }

  private static void requireTls(boolean hasKerberos, Configuration conf) {
    HintsServer.requireTls(hasKerberos, ServiceSettings.from(conf), conf);
  }

  @Test
  void processesOfAllRolesElectTheSuperusersWorkTogether() throws Exception {
    assertThat(elections("all")).containsExactly("/leader", "/reconciler-leader");
    assertThat(elections("reconciler")).containsExactly("/reconciler-leader");
    assertThat(elections("requests")).containsExactly("/leader");
  }

  private static List<String> elections(String role) throws IOException {
    List<String> names = new ArrayList<>();
    Backends usual = TestServer.backends(new InMemoryHintStore(Clock.systemUTC()));
    Backends recorded =
        new Backends(
            usual.store(),
            usual.callers(),
            (configuration, name) -> {
              names.add(name);
              return new SingleInstance();
            },
            usual.clock());
    new TestServer(recorded, Map.of("weir.server.role", role)).close();
    return names;
  }

  @Test
  void theReconcilersTasksNeedASuperuser() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://localhost:1");
    ReconcilerPart part =
        new ReconcilerPart(
            conf, store, HintLimits.from(conf), user -> false, new MetricsSystemImpl("test"));
    assertThat(part.leaderTasks())
        .extracting(LeaderTask::name)
        .containsExactly("reconciler", "auto-replication");
    assertThat(part.leaderTasks()).allMatch(LeaderTask::needsSuperuser);
    part.close();
  }

  @Test
  void aProcessWithoutReconcilerKnowsNoUse() throws Exception {
    try (TestServer requests =
        TestServer.over(
            store, Map.of("weir.server.role", "requests", "weir.server.admins", "ann"))) {
      String path = "/v1/auto-replication";
      assertThat(requests.send("GET", path + "?user.name=eve").statusCode()).isEqualTo(403);
      assertThat(requests.send("GET", path + "?user.name=ann").statusCode()).isEqualTo(503);
      HttpResponse<String> imported =
          requests.sendJson("POST", path + "/profile?user.name=ann", "{\"files\": []}");
      assertThat(imported.statusCode()).isEqualTo(503);
      assertThat(imported.body()).contains("weir.server.role is reconciler");
    }
  }

  @Test
  void aReconcilerProcessAnswersNoRequestsAboutHints() throws Exception {
    try (TestServer reconciler = TestServer.over(store, Map.of("weir.server.role", "reconciler"))) {
      assertThat(reconciler.send("GET", "/v1/status").statusCode()).isEqualTo(200);
      assertThat(reconciler.send("GET", "/v1/hint-sets").statusCode()).isEqualTo(404);
      assertThat(reconciler.send("GET", "/v1/runs").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void servesPageAndHadoopEndpoints() throws Exception {
    assertThat(server.send("GET", "/index.html").body()).contains("Weir hints service");
    assertThat(server.send("GET", "/static/weir.css").statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/jmx").body()).contains("WeirRequests");
    assertThat(server.send("GET", "/prom").statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/stacks").body()).contains("Thread");
    assertThat(server.send("GET", "/conf").statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/v1/status").body()).contains("\"state\":\"running\"");
  }

  @Test
  void confHidesZooKeeperCredentials() throws Exception {
    try (TestServer closed =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of(StoreAccess.AUTH_KEY, "weir:opensesame", "weir.server.admins", "ann"))) {
      for (String query : new String[] {"", "?format=json", "?name=" + StoreAccess.AUTH_KEY}) {
        HttpResponse<String> answer = closed.send("GET", "/conf" + query);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(StoreAccess.AUTH_KEY).doesNotContain("opensesame");
      }
    }
  }

  @Test
  void unknownPathIsProblem() throws Exception {
    for (String path : new String[] {"/v1/nothing", "/nothing"}) {
      HttpResponse<String> answer = server.send("GET", path);
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      JsonNode problem = new ObjectMapper().readTree(answer.body());
      assertThat(problem.path("status").intValue()).isEqualTo(404);
      assertThat(problem.path("instance").textValue()).isEqualTo(path);
    }
  }

  @Test
  void forbiddenImpersonationIsProblem() throws Exception {
    HttpResponse<String> answer = server.send("GET", "/v1/status?user.name=mallory&doAs=alice");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("mallory").contains("alice").contains("\"status\":403");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @Test
  void emptyUserIsProblem() throws Exception {
    for (String query : new String[] {"?user.name=", "?user.name=&doAs=alice"}) {
      HttpResponse<String> answer = server.send("GET", "/v1/status" + query);
      assertThat(answer.statusCode()).as(query + " " + answer.body()).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }
  }

  @Test
  void crossOriginRequestsNeedConfiguration() throws Exception {
    String[] ours = {"Origin", "http://portal.example"};
    assertThat(allowedOrigin(server.send("GET", "/v1/status", ours))).isEmpty();
    Map<String, String> settings =
        Map.of(
            "hadoop.http.cross-origin.enabled", "true",
            "hadoop.http.cross-origin.allowed-origins", "http://portal.example",
            "hadoop.http.cross-origin.allowed-methods", "GET,PUT",
            "hadoop.http.cross-origin.allowed-headers", "Content-Type");
    try (TestServer open = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), settings)) {
      assertThat(allowedOrigin(open.send("GET", "/v1/status", ours)))
          .hasValue("http://portal.example");
      assertThat(
              allowedOrigin(open.send("GET", "/v1/status", "Origin", "http://elsewhere.example")))
          .isEmpty();
      HttpResponse<String> preflight =
          open.send(
              "OPTIONS",
              "/v1/hints?path=/x",
              "Origin",
              "http://portal.example",
              "Access-Control-Request-Method",
              "PUT",
              "Access-Control-Request-Headers",
              "Content-Type");
      assertThat(preflight.statusCode()).isEqualTo(200);
      assertThat(allowedOrigin(preflight)).hasValue("http://portal.example");
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods").orElse(""))
          .contains("PUT");
    }
  }

  @Test
  void startAndCloseAreIdempotent() throws Exception {
    assertThat(server.server().state()).isEqualTo(HintsServer.State.RUNNING);
    server.server().start();
    server.close();
    server.close();
    assertThat(server.server().state()).isEqualTo(HintsServer.State.STOPPED);
    server.server().await();
    server.server().start();
    assertThat(server.server().state()).isEqualTo(HintsServer.State.STOPPED);
  }

  @Test
  void failedStartLeavesNothingOpen() {
    String taken = server.uri("").getAuthority();
    assertThatThrownBy(
            () ->
                TestServer.over(
                    new InMemoryHintStore(Clock.systemUTC()),
                    Map.of(ServiceSettings.HTTP_ADDRESS.key(), taken)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void namesInvalidSetting() {
    Configuration configuration = new Configuration(false);
    configuration.set("weir.server.http-address", "nowhere");
    assertThatThrownBy(() -> new HintsServer(configuration, TestServer.backends(store), null))
        .hasMessageContaining("weir.server.http-address is 'nowhere'")
        .hasMessageContaining("0.0.0.0:9880");
  }

  private static Optional<String> allowedOrigin(HttpResponse<String> answer) {
    return answer.headers().firstValue("Access-Control-Allow-Origin");
  }
}
