package dev.weir.yarn;

import static dev.weir.yarn.Containers.allocate;
import static dev.weir.yarn.ShownMetrics.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ask.AskSettings;
import dev.weir.yarn.lookup.HdfsLocationLookup;
import dev.weir.yarn.lookup.LocationLookup;
import dev.weir.yarn.lookup.LookupCircuitBreaker;
import dev.weir.yarn.lookup.LookupThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scheduling continues with a NameNode that hangs, sends nothing, or sends invalid data. */
@Timeout(120)
class StuckNameNodeTest {

  private static final int FILES = 200;
  private static final long MB = 1024 * 1024;

  /**
   * Lookups hang until the end of the test. A scheduler or a heartbeat that waited for one would
   * keep the test from ending.
   */
  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void onlyLookupThreadsWaitForAHangingNameNode(boolean asynchronous) throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Set<String> waiting = ConcurrentHashMap.newKeySet();
    LocationLookup hangs =
        (user, paths) -> {
          waiting.add(Thread.currentThread().getName());
          answer.await();
          return Map.of("h1", MB);
        };
    try (TestResourceManager rm = stuck(asynchronous, hangs)) {
      MockAM hinted = rm.application("alice");
      MockAM plain = rm.application("bob");
      nodes(rm);

      List<Container> first = new ArrayList<>(allocate(hinted, manyFiles()));
      List<Container> others = new ArrayList<>(allocate(plain, List.of(Asks.ask("*", 50))));
      until(rm, plain, others, 50);
      assertThat(first).as("held for the lookup").isEmpty();
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      until(rm, hinted, first, FILES);
      // The lookups count as stalled now, so nothing is held.
      List<Container> second = new ArrayList<>(allocate(hinted, Asks.named("weir:/more", 5)));
      until(rm, hinted, second, 5);

      await().until(() -> !waiting.isEmpty());
      assertThat(waiting)
          .isNotEmpty()
          .allMatch(thread -> thread.startsWith("weir-"), "is a thread of Weir");
      assertThat(rm.pendingContainers(hinted)).isZero();
    } finally {
      answer.countDown();
    }
  }

  /** The behaviour of a server. */
  enum Server {
    SENDS_NOTHING {
      @Override
      void serve(Socket client) {
        // The connection stays open.
      }
    },
    SENDS_INVALID_DATA {
      @Override
      void serve(Socket client) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\n\r\nnot what was asked".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    },
    CLOSES_CONNECTIONS {
      @Override
      void serve(Socket client) throws IOException {
        client.close();
      }
    };

    abstract void serve(Socket client) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void anotherServerDelaysNoContainer(Server server) throws Exception {
    try (Listener listener = new Listener(server);
        TestResourceManager rm = stuck(false, new HdfsLocationLookup(listener.asFileSystem()))) {
      allocateAll(rm);
    }
  }

  /** The client times out after a second, and a held ask would be as late. */
  @Test
  void noAskIsHeldAfterRepeatedInvalidData() throws Exception {
    try (Listener listener = new Listener(Server.SENDS_INVALID_DATA);
        TestResourceManager rm = stuck(false, new HdfsLocationLookup(listener.asFileSystem()))) {
      MockAM am = rm.application("alice");
      nodes(rm);
      for (int i = 1; i <= LookupCircuitBreaker.FAILURE_THRESHOLD; i++) {
        until(rm, am, new ArrayList<>(allocate(am, oneFile(i))), 1);
      }
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> metric("LookupsFailed") >= LookupCircuitBreaker.FAILURE_THRESHOLD);
      long held = metric("AsksHeld");

      for (int i = 1; i <= LookupCircuitBreaker.FAILURE_THRESHOLD; i++) {
        until(rm, am, new ArrayList<>(allocate(am, oneFile(100 + i))), 1);
      }

      assertThat(held).isPositive();
      assertThat(metric("AsksHeld")).isEqualTo(held);
    }
  }

  private static List<ResourceRequest> oneFile(int priority) {
    return List.of(
        Asks.ask(priority, "weir:/d" + priority + "/part", 1), Asks.ask(priority, "*", 1));
  }

  /** A server with that behaviour, and its clients. */
  private static final class Listener implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> clients = Collections.synchronizedList(new ArrayList<>());

    Listener(Server server) throws IOException {
      Thread acceptor = new Thread(() -> accept(server), "not-a-namenode");
      acceptor.setDaemon(true);
      acceptor.start();
    }

    Configuration asFileSystem() {
      Configuration conf = new Configuration();
      conf.set(
          CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
          "hdfs://127.0.0.1:" + socket.getLocalPort());
      return conf;
    }

    private void accept(Server server) {
      try {
        while (!socket.isClosed()) {
          Socket client = socket.accept();
          clients.add(client);
          server.serve(client);
        }
      } catch (IOException e) {
        // The test has closed the socket.
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket client : List.copyOf(clients)) {
        client.close();
      }
    }
  }

  @Test
  void anAbsentNameNodeDelaysNoContainer() throws Exception {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:1");
    try (TestResourceManager rm = stuck(false, new HdfsLocationLookup(conf))) {
      allocateAll(rm);
    }
  }

  /** Invalid answers. */
  enum InvalidAnswer implements LocationLookup {
    NOTHING {
      @Override
      @SuppressWarnings("NullAway") // tests an invalid result
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        return null;
      }
    },
    NO_SUCH_HOSTS {
      @Override
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        Map<String, Long> bytes = new HashMap<>(Map.of("", MB, "*", MB, "/r1", MB));
        IntStream.range(0, 20_000).forEach(i -> bytes.put("gone" + i, MB));
        return bytes;
      }
    },
    NEGATIVE {
      @Override
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        return Map.of("h1", Long.MIN_VALUE, "h2", -1L, "h3", 0L);
      }
    },
    ENORMOUS {
      @Override
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        return Map.of("h1", Long.MAX_VALUE, "h2", Long.MAX_VALUE);
      }
    },
    AN_EXCEPTION {
      @Override
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        throw new IllegalStateException("broken");
      }
    },
    AN_ERROR {
      @Override
      public Map<String, Long> bytesByHost(String user, List<String> paths) {
        throw new NoClassDefFoundError("of a client that does not fit");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void invalidAnswersDelayNoContainer(InvalidAnswer answer) throws Exception {
    try (TestResourceManager rm = stuck(false, answer)) {
      allocateAll(rm);
    }
  }

  /** All containers must be allocated after the longest hold and the longest wait. */
  private static void allocateAll(TestResourceManager rm) throws Exception {
    MockAM am = rm.application("alice");
    nodes(rm);
    List<Container> allocated = new ArrayList<>(allocate(am, manyFiles()));
    rm.clock.advance(AskSettings.DEFAULT_HOLD);
    allocated.addAll(allocate(am, List.of()));
    rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
    until(rm, am, allocated, FILES);
    assertThat(rm.pendingContainers(am)).isZero();
  }

  private static TestResourceManager stuck(boolean asynchronous, LocationLookup lookup) {
    return new TestResourceManager(
        new TestResourceManager.Setup(
            TestResourceManager.configuration(asynchronous), LookupThreads.create(), lookup, null));
  }

  private static List<ResourceRequest> manyFiles() {
    List<ResourceRequest> asks = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      asks.add(Asks.ask("weir:/data/" + i, 1));
    }
    asks.add(Asks.ask("*", FILES));
    return asks;
  }

  private static void nodes(TestResourceManager rm) throws Exception {
    for (int i = 1; i <= 6; i++) {
      rm.node("h" + i, i <= 3 ? "/r1" : "/r2", 100);
    }
  }

  /** Heartbeats until exactly the given number of containers is allocated. */
  private static void until(
      TestResourceManager rm, MockAM am, List<Container> allocated, int containers)
      throws Exception {
    while (allocated.size() < containers) {
      rm.heartbeatNodes();
      rm.clock.advance(20);
      allocated.addAll(allocate(am, List.of()));
    }
    rm.heartbeatNodes();
    allocated.addAll(allocate(am, List.of()));
    assertThat(allocated).hasSize(containers);
  }
}
