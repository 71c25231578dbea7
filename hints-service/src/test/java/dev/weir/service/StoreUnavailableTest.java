package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintSettings;
import dev.weir.hints.store.HastyStores;
import dev.weir.hints.store.HintStore;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * While ZooKeeper is unavailable, reads are served from memory and writes are refused. The service
 * recovers by itself.
 */
class StoreUnavailableTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String ALICE = "user.name=alice";

  @TempDir Path root;
  private TestingServer zooKeeper;
  private HintStore store;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
    zooKeeper = new TestingServer(true);
    store =
        HastyStores.open(
            new HintSettings(zooKeeper.getConnectString(), "/weir/test"), Duration.ofSeconds(1));
    server = TestServer.over(store, Map.of("fs.file.impl", AttributedFileSystem.class.getName()));
    assertThat(store.awaitLoaded(DEADLINE)).isTrue();
    assertThat(put("a", "pipeline").statusCode()).isEqualTo(201);
    await().atMost(DEADLINE).until(() -> store.snapshot().lookup(root + "/x").isPresent());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    zooKeeper.close();
  }

  @Test
  void readsSucceedAndWritesFailUntilZooKeeperReturns() throws Exception {
    zooKeeper.stop();
    await().atMost(DEADLINE).until(() -> !store.status().connected());

    for (String read :
        new String[] {"/v1/hints?path=" + root + "/x&", "/v1/hint-sets?", "/v1/status?"}) {
      HttpResponse<String> answer = server.send("GET", read + ALICE);
      assertThat(answer.statusCode()).as(read + answer.body()).isEqualTo(200);
    }
    assertThat(server.send("GET", "/v1/status").body()).contains("\"connected\":false");

    // Each call waits for its timeout, so all run at a time.
    ExecutorService callers = Executors.newFixedThreadPool(5);
    try {
      for (Future<HttpResponse<String>> write : callers.invokeAll(writes())) {
        assertUnavailable(write.get());
      }
    } finally {
      callers.shutdownNow();
    }

    zooKeeper.restart();
    await().atMost(DEADLINE).until(() -> put("b", "reuse").statusCode() == 201);
    assertThat(server.send("GET", "/v1/hint-sets/a").body()).contains("pipeline");
  }

  private List<Callable<HttpResponse<String>>> writes() {
    return List.of(
        () -> put("a", "reuse"),
        () -> put("b", "reuse"),
        () -> server.send("DELETE", "/v1/hint-sets/a?" + ALICE),
        () -> server.sendJson("POST", "/v1/hint-sets/a:keep-alive?" + ALICE, "{\"for\":\"1h\"}"),
        () -> server.sendJson("PUT", "/v1/hints?path=" + root + "&" + ALICE, "\"reuse\""));
  }

  private HttpResponse<String> put(String id, String hint) throws Exception {
    String rules = "{\"rules\":[{\"pattern\":\"" + root + "/**\",\"hint\":\"" + hint + "\"}]}";
    return server.sendJson("PUT", "/v1/hint-sets/" + id + "?" + ALICE, rules);
  }

  private static void assertUnavailable(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }
}
