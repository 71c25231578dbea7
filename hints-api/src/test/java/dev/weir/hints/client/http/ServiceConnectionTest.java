package dev.weir.hints.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.client.FakeService;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.RawServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.http.client.methods.HttpGet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client with services that are slow, unavailable, broken or refuse calls. */
class ServiceConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);

  /** A service on this machine that answers does so within this time, even on a busy machine. */
  private static final Duration ENOUGH = Duration.ofSeconds(2);

  private static final String OK = "{\"state\":\"RUNNING\",\"leader\":true,\"store\":{}}";
  private static final String STATUS = "/v1/status";

  private final QuickRetryTimer waits = new QuickRetryTimer();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void skipsUnavailableInstanceAndPrefersTheOther() throws Exception {
    FakeService alive = service().on("GET", STATUS, 200, OK);
    HintsClient client = client(LONG, unusedAddress(), alive.url());
    assertThat(client.status().state()).isEqualTo("RUNNING");
    assertThat(client.status().leader()).isTrue();
    assertThat(waits.pauses()).isEmpty();
  }

  @Test
  void messageNamesAllUnavailableInstancesAndRemedy() throws Exception {
    URI one = unusedAddress();
    URI two = unusedAddress();
    HintsServiceException failure = failure(client(LONG, one, two));
    assertThat(failure.isAway()).isTrue();
    assertThat(failure.status()).isEqualTo(HintsServiceException.NO_ANSWER);
    assertThat(failure)
        .hasMessageContaining(one + " (cannot connect)")
        .hasMessageContaining(two + " (cannot connect)")
        .hasMessageContaining("weir.server.url");
    assertThat(waits.pauses())
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
  }

  @Test
  void messageNamesKeyWithoutUrl() throws Exception {
    assertThat(failure(client(LONG))).hasMessageContaining("weir.server.url is not set");
  }

  @Test
  void retriesAfterRetryAfter() throws Exception {
    FakeService service =
        service()
            .on("GET", STATUS, 503, problem(503, "no store"), "Retry-After", "2")
            .on("GET", STATUS, 200, OK);
    assertThat(client(LONG, service.url()).status().state()).isEqualTo("RUNNING");
    assertThat(waits.pauses()).containsExactly(Duration.ofSeconds(2));
  }

  @Test
  void limitsRetryAfter() throws Exception {
    FakeService service = service().on("GET", STATUS, 503, "", "Retry-After", "3600");
    HintsServiceException failure = failure(client(LONG, service.url()));
    assertThat(failure.isAway()).isTrue();
    assertThat(waits.pauses()).hasSize(3).containsOnly(Duration.ofSeconds(5));
  }

  @Test
  void patienceLimitsAllAttempts() throws Exception {
    FakeService service = service().on("GET", STATUS, 503, problem(503, "no store"));
    HintsClient client = client(new ClientSettings(List.of(service.url()), LONG, LONG, SHORT, 99));
    assertThat(failure(client)).hasMessage("no store");
    assertThat(waits.pauses()).containsExactly(Duration.ofMillis(100));
  }

  @Test
  void hangingServiceTimesOut() throws Exception {
    FakeService hanging = service().hangOn("GET", STATUS);
    FakeService alive = service().on("GET", STATUS, 200, OK);
    assertThat(client(ENOUGH, hanging.url(), alive.url()).status().state()).isEqualTo("RUNNING");
    assertThat(failure(client(SHORT, hanging.url())))
        .hasMessageContaining("no answer within 0.2 s");
  }

  @Test
  void endlessAnswerTimesOut() throws Exception {
    RawServer endless = raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"state\":", true);
    assertThat(failure(client(SHORT, endless.url()))).hasMessageContaining("no answer within");
  }

  @Test
  void truncatedAnswerIsRetried() throws Exception {
    RawServer cut = raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"state\":", false);
    assertThat(failure(client(LONG, cut.url())).isAway()).isTrue();
    assertThat(cut.requests()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void savesAnswerToFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("answer"), "what was there before, and longer");
    FakeService service = service().on("GET", STATUS, 200, "{\"state\":1}");
    client(LONG, service.url()).save(ServiceCall.of("GET", STATUS), file);
    assertThat(file).hasContent("{\"state\":1}");
  }

  @Test
  void waitsWhileAnswerArrives() throws Exception {
    CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
    HttpGet request = new HttpGet(unusedAddress());
    AtomicInteger received = new AtomicInteger();
    LongSupplier growing =
        () -> {
          if (received.incrementAndGet() == 3) {
            answer.cancel(false);
          }
          return received.get();
        };
    assertThatThrownBy(() -> HttpExchange.answer(answer, request, Duration.ofMillis(1), growing))
        .isInstanceOf(CancellationException.class);
    assertThat(received).as("checked after each timeout").hasValue(3);
    assertThatThrownBy(
            () ->
                HttpExchange.answer(
                    new CompletableFuture<>(), request, Duration.ofMillis(1), () -> 5))
        .hasMessageContaining("no answer within");
  }

  @Test
  void stalledAnswerForFileTimesOut(@TempDir Path folder) throws Exception {
    RawServer endless = raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"state\":", true);
    HintsClient client = client(SHORT, endless.url());
    assertThatThrownBy(() -> client.save(ServiceCall.of("GET", STATUS), folder.resolve("answer")))
        .hasMessageContaining("no answer within");
  }

  @Test
  void problemIsNotSavedToFile(@TempDir Path folder) throws Exception {
    FakeService service = service().on("GET", STATUS, 404, problem(404, "there is no run"));
    Path file = folder.resolve("answer");
    assertThatThrownBy(() -> client(LONG, service.url()).save(ServiceCall.of("GET", STATUS), file))
        .hasMessageContaining("there is no run");
    assertThat(file).doesNotExist();
    assertThatThrownBy(
            () ->
                client(LONG, service().on("GET", STATUS, 200, OK).url())
                    .save(ServiceCall.of("GET", STATUS), folder.resolve("no/such/folder")))
        .hasMessageContaining("cannot write the answer to")
        .hasMessageContaining("no/such/folder");
  }

  @Test
  void rejectsNonHttpServer() throws Exception {
    RawServer other = raw("220 mail.example ESMTP\r\n", false);
    assertThat(failure(client(LONG, other.url())).isAway()).isTrue();
  }

  @Test
  void rejectsNonJsonAnswer() throws Exception {
    FakeService other = service().on("GET", STATUS, 200, "<html>\nHello</html>");
    assertThat(failure(client(LONG, other.url())))
        .hasMessageContaining("not JSON (<html> Hello</html>)")
        .hasMessageContaining("weir.server.url");
    assertThat(other.asked()).hasSize(1);
  }

  @Test
  void rejectsJsonOfAnotherService() throws Exception {
    FakeService other = service().on("GET", STATUS, 200, "[1]");
    assertThat(failure(client(LONG, other.url()))).hasMessageContaining("lacks 'state'");
  }

  @Test
  void problemHasFieldAndIsNotRetried() throws Exception {
    FakeService service =
        service()
            .on(
                "GET",
                STATUS,
                400,
                "{\"title\":\"Bad Request\",\"status\":400,"
                    + "\"detail\":\"is a relative path\",\"field\":\"path\"}");
    HintsServiceException failure = failure(client(LONG, service.url()));
    assertThat(failure.status()).isEqualTo(400);
    assertThat(failure.title()).isEqualTo("Bad Request");
    assertThat(failure.detail()).isEqualTo("is a relative path");
    assertThat(failure.field()).hasValue("path");
    assertThat(failure.isAway()).isFalse();
    assertThat(failure).hasMessageContaining("path");
    assertThat(service.asked()).hasSize(1);
  }

  @Test
  void reportsErrorPageOnOneLine() throws Exception {
    FakeService other = service().on("GET", STATUS, 500, "<html>\n<h1>Oops</h1>\n</html>");
    HintsServiceException failure = failure(client(LONG, other.url()));
    assertThat(failure.status()).isEqualTo(500);
    assertThat(String.valueOf(failure.getMessage()).lines()).hasSize(1);
  }

  @Test
  void doesNotRetryConditionalWriteThatWasSent() throws Exception {
    FakeService hanging = service().hangOn("DELETE", "/v1/hint-sets/a");
    HintsClient client = client(ENOUGH, hanging.url());
    assertThatThrownBy(() -> client.removeSet("a", 7)).hasMessageContaining("no answer within");
    await().until(() -> !hanging.asked().isEmpty());
    assertThat(hanging.asked()).hasSize(1);
    assertThat(hanging.last().headers()).containsEntry("if-match", "\"7\"");
  }

  @Test
  void retriesConditionalWriteThatWasNotSent() throws Exception {
    FakeService alive = service().on("DELETE", "/v1/hint-sets/a", 204, "");
    assertThat(client(LONG, unusedAddress(), alive.url()).removeSet("a", 7)).isTrue();
  }

  @Test
  void repeatedDeleteCountsAsRemoved() throws Exception {
    FakeService service = service().hangOn("DELETE", "/v1/hint-sets/a");
    FakeService other = service();
    HintsClient client = client(ENOUGH, service.url(), other.url());
    assertThat(client.removeSet("a")).isTrue();
    assertThat(client.removeSet("a")).isFalse();
    assertThat(other.asked()).hasSize(2);
  }

  @Test
  void reusesConnection() throws Exception {
    FakeService service =
        service().on("GET", STATUS, 200, OK).on("GET", STATUS, 404, problem(404, "x"));
    HintsClient client = client(LONG, service.url());
    client.status();
    for (int i = 0; i < 5; i++) {
      assertThat(failure(client).status()).isEqualTo(404);
    }
    assertThat(service.asked().stream().map(FakeService.Asked::peer).distinct()).hasSize(1);
  }

  @Test
  void interruptEndsWaitAndIsKept() throws Exception {
    FakeService hanging = service().hangOn("GET", STATUS);
    HintsClient client = client(LONG, hanging.url());
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> kept = new AtomicReference<>(false);
    Thread thread =
        new Thread(
            () -> {
              try {
                client.status();
              } catch (IOException e) {
                thrown.set(e);
                kept.set(Thread.currentThread().isInterrupted());
              }
            });
    thread.start();
    await().until(() -> hanging.asked().size() == 1);
    thread.interrupt();
    thread.join(LONG.toMillis());
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(kept.get()).isTrue();
  }

  @Test
  void sendsCallerAndProxyUser() throws Exception {
    FakeService service = service().on("GET", STATUS, 200, OK);
    UserGroupInformation engine = UserGroupInformation.createRemoteUser("engine");
    open(service.url(), engine).status();
    assertThat(service.last().query()).containsOnly(java.util.Map.entry("user.name", "engine"));
    open(service.url(), UserGroupInformation.createProxyUser("ann", engine)).status();
    assertThat(service.last().query())
        .containsEntry("user.name", "engine")
        .containsEntry("doAs", "ann");
  }

  private HintsClient open(URI url, UserGroupInformation user) throws IOException {
    return HintsClient.open(new Configuration(false), ClientSettings.of(List.of(url)), user, waits);
  }

  private HintsClient client(Duration timeout, URI... urls) throws IOException {
    return client(new ClientSettings(List.of(urls), LONG, timeout, LONG, 4));
  }

  private HintsClient client(ClientSettings settings) throws IOException {
    HintsClient client =
        HintsClient.open(
            new Configuration(false), settings, UserGroupInformation.getCurrentUser(), waits);
    opened.add(client);
    return client;
  }

  private static HintsServiceException failure(HintsClient client) {
    return catchThrowableOfType(HintsServiceException.class, client::status);
  }

  private FakeService service() {
    FakeService service = new FakeService();
    opened.add(service);
    return service;
  }

  private RawServer raw(String response, boolean keepsConnectionOpen) throws IOException {
    RawServer server = new RawServer(response, keepsConnectionOpen);
    opened.add(server);
    return server;
  }

  /** Returns an address on which no server listens. */
  private static URI unusedAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
  }

  private static String problem(int status, String detail) {
    return "{\"title\":\"Problem\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}";
  }
}
