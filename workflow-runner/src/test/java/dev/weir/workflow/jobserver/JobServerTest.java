package dev.weir.workflow.jobserver;

import static dev.weir.workflow.jobserver.TestSessions.assertRefused;
import static dev.weir.workflow.jobserver.TestSessions.job;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobClients;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.StatusCodec;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.text.Sha256;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The HTTP protocol of a session, and who may use it. */
class JobServerTest extends SessionTestBase {

  private static final int DRIPS = 1_000;

  @Test
  void requestsWithoutTheKeyAreRefused() throws Exception {
    SessionEndpoint there = requireNonNull(sessions.endpoint.get());
    HttpResponse<String> plain =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(sessions.url("/v1/jobs")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(plain.statusCode()).isEqualTo(401);
    assertThat(plain.body()).doesNotContain(there.key());

    SessionEndpoint wrong = new SessionEndpoint(there.url(), "cd".repeat(32));
    JobClient stranger = JobClients.of(() -> wrong, Duration.ofMillis(1));
    assertThatThrownBy(stranger::list).hasMessageContaining("is not the session");
  }

  @Test
  void apiDescriptionIsPublic() throws Exception {
    HttpResponse<String> page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(sessions.url("/v1/openapi.json")).build(),
                HttpResponse.BodyHandlers.ofString());

    assertThat(page.statusCode()).isEqualTo(200);
    JsonNode schemas = new ObjectMapper().readTree(page.body()).at("/components/schemas");
    List<String> described = new ArrayList<>();
    schemas.at("/JobStatus/properties").fieldNames().forEachRemaining(described::add);
    sessions.client.submit(job("a"));
    sessions.client.cancel("a");
    JsonNode answer = new ObjectMapper().readTree(StatusCodec.write(sessions.client.status("a")));
    assertThat(answer.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(described);
  }

  @Test
  void jobWithAnUnknownSecretIsRefused() throws Exception {
    assertRefused(
        422,
        "weir session start --secret NONE",
        () -> sessions.client.submit(withVariable("a", TaskSecrets.reference("NONE"))));
    assertThat(sessions.client.submit(withVariable("b", TaskSecrets.reference("KNOWN"))).id())
        .isEqualTo("b");
  }

  private static Job withVariable(String id, String value) {
    return new Job(
        id, "", List.of("true"), Map.of("KEY", value), List.of(), List.of(), JobOptions.DEFAULT);
  }

  @Test
  void tooLargeRequestIsRefusedAlone() throws Exception {
    String text = "x".repeat(40 << 20);
    Job large =
        new Job(
            "large", "", List.of("true", text), Map.of(), List.of(), List.of(), JobOptions.DEFAULT);
    assertRefused(
        413, "put what makes it large into an input", () -> sessions.client.submit(large));
    // Like most clients, it sends the whole request before it reads.
    assertThat(answer(signed(text.getBytes(UTF_8)), text.length(), text))
        .startsWith("HTTP/1.1 413 ")
        .contains("1048576 bytes (1 MiB): put what makes it large into");

    assertThat(sessions.client.list()).isEmpty();
  }

  /** Returns everything that the server sends until it closes the connection. */
  private String answer(String authorization, int announced, String body) throws Exception {
    URI url = sessions.url("");
    String head =
        "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
            + announced
            + authorization
            + "\r\n\r\n";
    try (Socket raw = new Socket(url.getHost(), url.getPort())) {
      raw.getOutputStream().write((head + body).getBytes(UTF_8));
      return new String(raw.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private String signed(byte[] body) {
    return signed(requireNonNull(sessions.endpoint.get()).key(), body);
  }

  private static String signed(String key, byte[] body) {
    HmacSigner.Request request =
        new HmacSigner.Request(
            "POST",
            "/v1/jobs",
            System.currentTimeMillis(),
            Secret.generate(new SecureRandom()).toHex(),
            Sha256.hex(body));
    return "\r\n" + HmacSigner.REQUEST_HEADER + ": " + new HmacSigner(key).authorization(request);
  }

  /** Closing a connection while the client still writes would lose the answer. */
  @Test
  void expiredRequestOfAKnownCallerIsRefusedWithTheReason() throws Exception {
    String body = "x".repeat(1 << 19);
    String signed = signed(body.getBytes(UTF_8));

    assertThat(answer(signed, body.length(), body)).startsWith("HTTP/1.1 4");
    assertThat(answer(signed, body.length(), body))
        .startsWith("HTTP/1.1 401 ")
        .contains("was sent before");
  }

  /** The body is never sent, so a server that waits for it does not answer. */
  @Test
  void callerWithoutTheKeyIsRefusedBeforeItsBodyIsRead() throws Exception {
    byte[] body = "{}".getBytes(UTF_8);

    assertThat(answer("", 1 << 20, "")).startsWith("HTTP/1.1 401 ").contains("is not signed");
    assertThat(answer(signed("cd".repeat(32), body), 1 << 20, ""))
        .startsWith("HTTP/1.1 401 ")
        .contains("does not match this session's key");
  }

  @Test
  void bodyThatDiffersFromTheSignedOneIsRefused() throws Exception {
    String wanted = "{\"id\": \"a\", \"command\": [\"true\"]}";
    String altered = wanted.replace("true", "reboot");

    assertThat(answer(signed(wanted.getBytes(UTF_8)), altered.length(), altered))
        .startsWith("HTTP/1.1 401 ")
        .contains("is not the one that was signed");
    assertThat(sessions.client.list()).isEmpty();
    assertThat(answer(signed(wanted.getBytes(UTF_8)), wanted.length(), wanted))
        .startsWith("HTTP/1.1 201 ");
  }

  @Test
  void unfinishedRequestsBlockNoOther() throws Exception {
    URI url = sessions.url("");
    List<Socket> halfOpen = new ArrayList<>();
    try {
      for (int i = 0; i < 32; i++) {
        Socket socket = new Socket(url.getHost(), url.getPort());
        halfOpen.add(socket);
        String half =
            i % 2 == 0 ? "GET /v1/jobs HT" : "POST /v1/jobs HTTP/1.1\r\nContent-Length: 9\r\n\r\n{";
        socket.getOutputStream().write(half.getBytes(UTF_8));
        socket.getOutputStream().flush();
      }

      assertThat(sessions.client.submit(job("a")).id()).isEqualTo("a");
    } finally {
      for (Socket socket : halfOpen) {
        socket.close();
      }
    }
  }

  @Test
  void slowConnectionsBlockNoOther() throws Exception {
    URI url = sessions.url("");
    String wanted = "{\"id\": \"a\", \"command\": [\"true\"]}";
    List<Socket> drips = new ArrayList<>();
    try {
      for (int i = 0; i < DRIPS; i++) {
        Socket drip = new Socket(url.getHost(), url.getPort());
        drips.add(drip);
        sendByte(drip);
      }
      assertThat(answer(signed(wanted.getBytes(UTF_8)), wanted.length(), wanted))
          .startsWith("HTTP/1.1 201 ");
      drips.forEach(JobServerTest::sendByte);
      assertThat(answer(signed(wanted.getBytes(UTF_8)), wanted.length(), wanted))
          .startsWith("HTTP/1.1 200 ");
      assertThat(drips).as("the oldest are evicted").anyMatch(JobServerTest::isEvicted);
    } finally {
      for (Socket drip : drips) {
        drip.close();
      }
    }
  }

  private static void sendByte(Socket drip) {
    try {
      drip.getOutputStream().write('P');
    } catch (IOException e) {
      assertThat(isEvicted(drip)).as("closed only by an eviction: " + e).isTrue();
    }
  }

  private static boolean isEvicted(Socket drip) {
    try {
      drip.setSoTimeout(1);
      drip.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** A session that closes its server as soon as it is asked to end. */
  private static final class EndingSession implements JobServer.JobHandler {

    private final CompletableFuture<HttpReply> answer;
    private final Runnable end;

    EndingSession(HttpReply answer, Runnable end) {
      this.answer = CompletableFuture.completedFuture(answer);
      this.end = end;
    }

    @Override
    public CompletableFuture<HttpReply> stop(boolean whenIdle) {
      Thread ending = new Thread(end);
      ending.start();
      // The server is closed by then, or waits until this answer is sent.
      await()
          .until(
              () ->
                  ending.getState() == Thread.State.TERMINATED
                      || ending.getState() == Thread.State.TIMED_WAITING);
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> submit(String json) {
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> status(String id, long waitSeconds) {
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> ended(long after, long waitSeconds) {
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> list() {
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> cancel(String id) {
      return answer;
    }

    @Override
    public CompletableFuture<HttpReply> sessionStatus() {
      return answer;
    }
  }

  @Test
  void stopRequestIsAnsweredBeforeTheSessionEnds() throws Exception {
    HttpReply answer = new HttpReply(HttpReply.OK, StatusCodec.write(sessions.client.session()));
    RequestAuthenticator authenticator =
        new RequestAuthenticator(new SecureRandom(), Clock.systemUTC());
    AtomicReference<@Nullable JobServer> server = new AtomicReference<>();
    server.set(
        new JobServer(
            new EndingSession(answer, () -> requireNonNull(server.get()).close()),
            new TestSessions.NoRuns(),
            authenticator,
            PortRange.ANY));
    JobServer started = requireNonNull(server.get());
    started.start();
    SessionEndpoint there =
        new SessionEndpoint("http://127.0.0.1:" + started.port(), authenticator.key());

    assertThat(JobClients.of(() -> there, Duration.ofMillis(1)).stop(false))
        .isEqualTo(sessions.client.session());
  }

  @Test
  void answerIsSentWithoutDelayedAcknowledgement() {
    assertThat(Boolean.getBoolean("sun.net.httpserver.nodelay")).isTrue();
  }

  @Test
  void unfinishedRequestIsCutOff() {
    assertThat(Integer.getInteger("sun.net.httpserver.maxReqTime")).isPositive();
    assertThat(Integer.getInteger("sun.net.httpserver.maxRspTime")).isGreaterThan(60);
  }
}
