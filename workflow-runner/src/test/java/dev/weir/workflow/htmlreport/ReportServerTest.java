package dev.weir.workflow.htmlreport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportServerTest {

  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private ReportServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        new ReportServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            "/secret/",
            this::view,
            exchange -> exchange.getRequestHeaders().getFirst("X-Other") == null,
            new ReportServer.Threads(Runnable::run, clock::get));
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private ReportServer.View view() throws IOException {
    if (reads.incrementAndGet() == 3) {
      throw new IOException("no HDFS");
    }
    RunRecord run =
        new RunRecord(
            "run " + reads.get(),
            "w</script>",
            "weir",
            RunState.RUNNING,
            Instant.EPOCH,
            Instant.EPOCH,
            List.of(),
            List.of());
    return new ReportServer.View(List.of(ReportRun.of(run)), "");
  }

  private HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void pageFetchesItsDataAgain() throws IOException, InterruptedException {
    String page = get("/secret/").body();
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .contains("\"live\":\"data.json\"", "connect-src 'self'", "w\\u003c/script>");

    JsonNode data = new ObjectMapper().readTree(get("/secret/data.json").body());
    assertThat(data.at("/runs/0/id").asText()).as("a second old at most").isEqualTo("run 1");
    clock.addAndGet(1_000);
    data = new ObjectMapper().readTree(get("/secret/data.json").body());
    assertThat(data.at("/runs/0/id").asText()).isEqualTo("run 2");
    assertThat(data.at("/runs/0/state").asText()).isEqualTo("RUNNING");
  }

  @Test
  void unreadableStateIsReported() throws IOException, InterruptedException {
    reads.set(2);
    HttpResponse<String> answer = get("/secret/data.json");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("no HDFS");
    assertThat(get("/secret/data.json").statusCode()).isEqualTo(200);
  }

  @Test
  void otherRequestsAreRefused() throws IOException, InterruptedException {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/secret/x").statusCode()).isEqualTo(404);
    assertThat(get("/secret/", "X-Other", "1").statusCode()).isEqualTo(403);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/secret/"))
            .POST(BodyPublishers.ofString("x"))
            .build();
    assertThat(HttpClient.newHttpClient().send(post, BodyHandlers.discarding()).statusCode())
        .isEqualTo(405);
    assertThat(reads).hasValue(0);
  }
}
