package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.workflow.provenance.RunPhase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A PostgreSQL that accepts statements and does not answer. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HungDatabaseTest {
  /** Threads of the web server, far more than calls about runs may hold. */
  private static final int THREADS = 30;

  private static final int CALLS = 2 * THREADS;

  private static final String RUN = "/v1/runs/before?user.name=alice";

  @Test
  void hintsAreAnsweredWhileDatabaseHangs() throws Exception {
    try (PostgresServer postgres = PostgresServer.startedOrSkipped();
        StallingProxy proxy = StallingProxy.before(postgres.port());
        TestServer server =
            TestServer.over(
                new InMemoryHintStore(Clock.systemUTC()), settings(proxy.port(), postgres))) {
      RunClient calls = new RunClient(server);
      server.awaitDatabase();
      calls.put("alice", "before", RunClient.head("/tmp", RunPhase.RUNNING), 201);
      HttpClient client = HttpClient.newHttpClient();
      URI runs = server.uri(RUN);
      // The first calls load classes, which must not count against the database's timeout.
      calls.get("alice", "/v1/hints?path=/a", 404);
      HttpRequest known = HttpRequest.newBuilder(runs).build();
      assertThat(client.send(known, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      proxy.stall(true);
      List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        responses.add(client.sendAsync(known, HttpResponse.BodyHandlers.ofString()));
      }

      calls.get("alice", "/v1/hints?path=/a", 404);
      assertThat(responses)
          .filteredOn(CompletableFuture::isDone)
          .as("those that did not wait for the database")
          .allSatisfy(call -> assertThat(call.get().body()).contains("too many concurrent calls"));
      for (CompletableFuture<HttpResponse<String>> call : responses) {
        assertThat(call.get().statusCode()).as(call.get().body()).isEqualTo(503);
        assertThat(call.get().headers().firstValue("Retry-After")).isPresent();
      }

      proxy.stall(false);
      Awaitility.await().until(() -> server.send("GET", RUN).statusCode() == 200);
    }
  }

  private static Map<String, String> settings(int port, PostgresServer postgres) {
    return Map.of(
        DatabaseSettings.URL.key(),
        "jdbc:postgresql://localhost:" + port + "/postgres",
        DatabaseSettings.USER.key(),
        postgres.user(),
        DatabaseSettings.CONNECTIONS.key(),
        "2",
        DatabaseSettings.TIMEOUT.key(),
        "4s",
        "hadoop.http.max.threads",
        Integer.toString(THREADS));
  }
}
