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

/** With a service that answers what it is told to. */
@Timeout(180)
class HintsServiceExpectationTest {

  private static final String ANSWER =
      "{\"nodes\": [{\"host\": \"h2\", \"rack\": \"/r1\", \"bytes\": 0},"
          + " {\"host\": \"h1\", \"bytes\": 0}], \"bytes\": 0, \"missing\": [\"/out\"]}";

  private final Configuration conf = new Configuration(false);
  private final ManualClock clock = new ManualClock();
  private final List<String> questions = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  private volatile boolean hangs;
  private volatile String refused = "none";

  @BeforeEach
  void start() throws IOException {
    // Head and body of an answer are two packets, and the second would wait for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          questions.add(exchange.getRequestURI() + " " + body);
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
  void asksAsTheUser() {
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).containsExactly("h2", "h1");
    }
    assertThat(questions)
        .singleElement()
        .asString()
        .contains("user.name=alice")
        .contains("/v1/placements:rank")
        .contains("/out");
  }

  @Test
  void aFloodStaysOurs() {
    try (HintsServiceExpectation expectation = expectation()) {
      for (int i = 0; i < HintsServiceExpectation.MOST_A_SECOND; i++) {
        assertThat(expectation.hosts("alice", List.of("/out" + i)))
            .hasSize(i < HintsServiceExpectation.MOST_A_SECOND / 2 ? 2 : 0);
      }
      clock.advance(1_000);
      assertThat(expectation.hosts("alice", List.of("/out"))).hasSize(2);
    }
  }

  @Test
  void aFloodOfOneUserLeavesRoomToOthers() {
    try (HintsServiceExpectation expectation = expectation()) {
      for (String user : List.of("alice", "bob", "carol")) {
        for (int i = 0; i < HintsServiceExpectation.MOST_A_SECOND; i++) {
          expectation.hosts(user, List.of("/out" + i));
        }
      }
      assertThat(expectation.hosts("dave", List.of("/out"))).hasSize(2);
      for (int i = 0; i < HintsServiceExpectation.MOST_A_SECOND; i++) {
        expectation.hosts("user" + i, List.of("/out"));
      }
    }
    assertThat(questions).hasSize(HintsServiceExpectation.MOST_A_SECOND);
  }

  /** That this ends is what is tested. */
  @Test
  void aServiceThatHangsIsLeftAlone() {
    hangs = true;
    try (HintsServiceExpectation expectation = hasty()) {
      for (int i = 0; i < 50; i++) {
        assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
      }
    }
    assertThat(questions).hasSizeLessThan(50);
  }

  @Test
  void aServiceThatHangsIsLeftAloneByAllUsers() {
    try (HintsServiceExpectation expectation = hasty()) {
      // A first call may take longer than it is given, for what it loads.
      await()
          .until(
              () -> {
                clock.advance(60_000);
                return !expectation.hosts("first", List.of("/out")).isEmpty();
              });
      questions.clear();
      hangs = true;
      for (int i = 0; i < 20; i++) {
        assertThat(expectation.hosts("user" + i, List.of("/out"))).isEmpty();
      }
      // The service may see them later than their callers have given them up.
      await().until(() -> !questions.isEmpty());
      assertThat(questions).singleElement().asString().contains("user.name=user0");
      clock.advance(1_000);
      expectation.hosts("user20", List.of("/out"));
      expectation.hosts("user21", List.of("/out"));
      // It is given twice the time then.
      clock.advance(1_000);
      expectation.hosts("user22", List.of("/out"));
      await().until(() -> questions.size() > 1);
    }
    assertThat(questions).hasSize(2);
  }

  @Test
  void aUserWhoIsRefusedKeepsNoOtherFromAsking() {
    refused = "alice";
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
      assertThat(expectation.hosts("bob", List.of("/out"))).hasSize(2);
    }
  }

  @Test
  void aServiceThatIsAwayTellsNothing() {
    server.stop(0);
    try (HintsServiceExpectation expectation = expectation()) {
      assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
    }
  }

  @Test
  void isAskedOnlyWhereThereIsOne() {
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HdfsLocationLookup.class);
    conf.set(ClientSettings.URL_KEY, url());
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HintedLocationLookup.class);
    conf.set(ClientSettings.URL_KEY, "no url at all");
    assertThat(LocationLookupFactory.from(conf, clock)).isInstanceOf(HdfsLocationLookup.class);
  }

  @Test
  void nobodyIsAskedWhenItIsClosed() {
    HintsServiceExpectation expectation = expectation();
    expectation.close();
    assertThat(expectation.hosts("alice", List.of("/out"))).isEmpty();
  }

  @Test
  void usersShareConnectionsAndTheirThread() {
    Set<Thread> before = selectors();
    try (HintsServiceExpectation expectation = expectation()) {
      for (int i = 0; i < 20; i++) {
        assertThat(expectation.hosts("user" + i, List.of("/out"))).containsExactly("h2", "h1");
      }
      Set<Thread> now = selectors();
      now.removeAll(before);
      assertThat(now).hasSize(1);
    }
    assertThat(questions).hasSize(20).anyMatch(asked -> asked.contains("user.name=user19"));
  }

  private static Set<Thread> selectors() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("SelectorManager"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private HintsServiceExpectation expectation() {
    return waiting(Duration.ofMinutes(1));
  }

  /** One that gives the service as little time as in a ResourceManager. */
  private HintsServiceExpectation hasty() {
    return waiting(Duration.ofSeconds(1));
  }

  private HintsServiceExpectation waiting(Duration bound) {
    return new HintsServiceExpectation(
        conf, ClientSettings.of(List.of(URI.create(url()))), clock, bound);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }
}
