package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.yarn.ManualClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses a server with configured answers. */
@Timeout(180)
class HintsServiceExpectationTest {

  private static final String ANSWER =
      "{\"nodes\": [{\"host\": \"h2\", \"rack\": \"/r1\", \"bytes\": 0},"
          + " {\"host\": \"h1\", \"bytes\": 0}], \"bytes\": 0, \"missing\": [\"/out\"]}";

  private final Configuration conf = new Configuration(false);
  private final ManualClock clock = new ManualClock();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  private volatile boolean hangs;
  private volatile String refused = "none";

  @BeforeEach
  void start() throws IOException {
    // Without TCP_NODELAY, the second packet of an answer would wait for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          requests.add(exchange.getRequestURI() + " " + body);
          if (hangs) {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          if (String.valueOf(exchange.getRequestURI()).contains("user.name=" + refused)) {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
            return;
          }
          byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void callsAsTheUser() {
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).containsExactly("h2", "h1");
    }
    assertThat(requests)
        .singleElement()
        .asString()
        .contains("user.name=alice")
        .contains("/v1/placements:rank")
        .contains("/out");
  }

  @Test
  void requestsAreLimited() {
    try (HintsServiceExpectation expectation = expectation()) {
      for (int i = 0; i < HintsServiceExpectation.MAX_PER_SECOND; i++) {
        assertThat(expectation.hosts("alice", List.of("/out" + i)))
            .hasSize(i < HintsServiceExpectation.MAX_PER_SECOND / 2 ? 2 : 0);
      }
      clock.advance(1_000);
      assertThat(expectation.hosts("alice", List.of("/out"))).hasSize(2);
    }
  }

  @Test
  void requestsOfOneUserLeaveRoomForOthers() {
    try (HintsServiceExpectation expectation = expectation()) {
      for (String user : List.of("alice", "bob", "carol")) {
        for (int i = 0; i < HintsServiceExpectation.MAX_PER_SECOND; i++) {
          expectation.hosts(user, List.of("/out" + i));
        }
      }
      assertThat(expectation.hosts("dave", List.of("/out"))).hasSize(2);
      for (int i = 0; i < HintsServiceExpectation.MAX_PER_SECOND; i++) {
        expectation.hosts("user" + i, List.of("/out"));
      }
    }
    assertThat(requests).hasSize(HintsServiceExpectation.MAX_PER_SECOND);
  }

  /** Tests that the calls return. */
  @Test
  void aHangingServiceIsNotCalledRepeatedly() {
    hangs = true;
    try (HintsServiceExpectation expectation = withShortTimeout()) {
      for (int i = 0; i < 50; i++) {
        assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
      }
    }
    assertThat(requests).hasSizeLessThan(50);
  }

  @Test
  void aHangingServiceIsNotCalledByOtherUsers() {
    try (HintsServiceExpectation expectation = withShortTimeout()) {
      // A first call may exceed its timeout, because it loads classes.
      await()
          .until(
              () -> {
                clock.advance(60_000);
                return !expectation.hosts("first", List.of("/out")).isEmpty();
              });
      requests.clear();
      hangs = true;
      for (int i = 0; i < 20; i++) {
        assertThat(expectation.hosts("user" + i, List.of("/out"))).isEmpty();
      }
      // The service may receive requests after their callers have timed out.
      await().until(() -> !requests.isEmpty());
      assertThat(requests).singleElement().asString().contains("user.name=user0");
      clock.advance(1_000);
      expectation.hosts("user20", List.of("/out"));
      expectation.hosts("user21", List.of("/out"));
      // The backoff has doubled.
      clock.advance(1_000);
      expectation.hosts("user22", List.of("/out"));
      await().until(() -> requests.size() > 1);
    }
    assertThat(requests).hasSize(2);
  }

  @Test
  void aRefusedUserDoesNotAffectOthers() {
    refused = "alice";
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
      assertThat(expectation.hosts("bob", List.of("/out"))).hasSize(2);
    }
  }

  @Test
  void anUnreachableServiceReturnsNothing() {
    server.stop(0);
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
    }
  }

  @Test
  void isUsedOnlyIfConfigured() {
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HdfsLocationLookup.class);
    conf.set(ClientSettings.URL_KEY, url());
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HintedLocationLookup.class);
    conf.set(ClientSettings.URL_KEY, "no url at all");
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HdfsLocationLookup.class);
  }

  @Test
  void sendsNoRequestAfterClose() {
    HintsServiceExpectation expectation = expectation();
    expectation.close();
    assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
  }

  @Test
  void usersShareConnectionsAndThreads() {
    Set<Thread> before = callThreads();
    try (HintsServiceExpectation expectation = expectation()) {
      for (int i = 0; i < 20; i++) {
        assertThat(expectation.hosts("user" + i, List.of("/out"))).containsExactly("h2", "h1");
      }
      Set<Thread> now = callThreads();
      now.removeAll(before);
      // A thread may still be ending its call when the next one begins.
      assertThat(now).isNotEmpty().hasSizeLessThan(20);
    }
    assertThat(requests).hasSize(20).anyMatch(asked -> asked.contains("user.name=user19"));
  }

  private static Set<Thread> callThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("weir hints service call"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private HintsServiceExpectation expectation() {
    return waiting(Duration.ofMinutes(1));
  }

  /** Creates a client with the timeout of a ResourceManager. */
  private HintsServiceExpectation withShortTimeout() {
    return waiting(Duration.ofSeconds(1));
  }

  private HintsServiceExpectation waiting(Duration timeout) {
    return new HintsServiceExpectation(
        conf, ClientSettings.of(List.of(URI.create(url()))), clock, timeout);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }
}
