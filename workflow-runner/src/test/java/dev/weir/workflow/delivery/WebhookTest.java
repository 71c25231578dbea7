package dev.weir.workflow.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.weir.workflow.record.RunState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTest {

  private static final RunNotice FAILED =
      new RunNotice(
          "application_1_1",
          "montage",
          RunState.FAILED,
          Instant.ofEpochSecond(0),
          Instant.ofEpochSecond(61),
          10,
          3,
          2,
          4,
          "Task add: exit code 1");

  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());

  private HttpServer server(int... answers) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(answers[Math.min(bodies.size(), answers.length) - 1], -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String url(HttpServer server) {
    return "http://localhost:" + server.getAddress().getPort() + "/services/TOKEN";
  }

  @Test
  void postsANotice() throws Exception {
    HttpServer server = server(204);
    Credentials credentials = new Credentials();
    Webhook.of(url(server)).addTo(credentials);
    assertThat(Webhook.of(credentials).orElseThrow().post(FAILED).await()).isEmpty();
    server.stop(0);
    assertThat(bodies).hasSize(1);
    JsonNode json = new ObjectMapper().readTree(bodies.get(0));
    assertThat(json)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    "{\"run\":\"application_1_1\",\"workflow\":\"montage\",\"state\":\"FAILED\","
                        + "\"started\":\"1970-01-01T00:00:00Z\",\"ended\":\"1970-01-01T00:01:01Z\","
                        + "\"tasks\":10,\"tasks-done\":3,\"tasks-reused\":2,\"failed-attempts\":4,"
                        + "\"failure\":\"Task add: exit code 1\",\"text\":\"Weir: montage"
                        + " (application_1_1) failed after 61 s, 5 of 10 tasks done: Task add: exit"
                        + " code 1\"}"));
  }

  @Test
  void triesTwice() throws Exception {
    HttpServer server = server(500, 200);
    assertThat(Webhook.of(url(server)).post(FAILED).await()).isEmpty();
    assertThat(bodies).hasSize(2);
    server.stop(0);
  }

  @Test
  void namesTheHostOnlyOfAWebhookThatRefuses() throws Exception {
    HttpServer server = server(404);
    String host = "http://localhost:" + server.getAddress().getPort() + "/...";
    assertThat(Webhook.of(url(server)).post(FAILED).await())
        .contains("The notice to " + host + " failed: HTTP 404");
    server.stop(0);
    assertThat(Webhook.of(url(server)).post(FAILED).await())
        .contains("The notice to " + host + " failed: ConnectException");
    assertThat(Webhook.of(url(server)).toString()).isEqualTo(host);
  }

  @Test
  void doesNotWaitForASilentWebhook() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      String url = "http://localhost:" + silent.getLocalPort() + "/TOKEN";
      assertThat(Webhook.of(url, Duration.ofMillis(200)).post(FAILED).await())
          .hasValueSatisfying(text -> assertThat(text).doesNotContain("TOKEN"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://", "https://host/TOKEN x", "http://ann:TOKEN@host/", "mail TOKEN"})
  void refusesWhatIsNoWebhookWithoutRepeatingIt(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Webhook.of(url))
        .withMessageStartingWith("The webhook ")
        .withMessageNotContaining("TOKEN");
  }
}
