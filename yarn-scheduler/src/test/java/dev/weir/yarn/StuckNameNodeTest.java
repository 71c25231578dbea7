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

/** A NameNode that hangs, that says nothing, or that talks nonsense: scheduling goes on. */
@Timeout(120)
class StuckNameNodeTest {

  private static final int FILES = 200;
  private static final long MB = 1024 * 1024;

  /**
   * Nothing here lets go of the look-ups before the end, so a scheduler or a heartbeat that waited
   * for one would keep the test from ending.
   */
  @ParameterizedTest(name = "asynchronous scheduling: {0}")
  @ValueSource(booleans = {false, true})
  void noThreadButOurOwnWaitsForOneThatHangs(boolean asynchronous) throws Exception {
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
      assertThat(first).as("held back for the look-up").isEmpty();
      rm.clock.advance(AskSettings.DEFAULT_HOLD);
      until(rm, hinted, first, FILES);
      // By now it is known to be stuck, and nothing is held back for it any more.
      List<Container> second = new ArrayList<>(allocate(hinted, Asks.named("weir:/more", 5)));
      until(rm, hinted, second, 5);

      await().until(() -> !waiting.isEmpty());
      assertThat(waiting)
          .isNotEmpty()
          .allMatch(thread -> thread.startsWith("weir-"), "is a thread of ours");
      assertThat(rm.pendingContainers(hinted)).isZero();
    } finally {
      answer.countDown();
    }
  }

  /** What a server may do to its clients. */
  enum Server {
    SAYS_NOTHING {
      @Override
      void serve(Socket client) {
        // The connection stays open.
      }
    },
    TALKS_NONSENSE {
      @Override
      void serve(Socket client) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\n\r\nnot what was asked".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    },
    HANGS_UP {
      @Override
      void serve(Socket client) throws IOException {
        client.close();
      }
    };

    abstract void serve(Socket client) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNoNameNodeKeepsNoContainerBack(Server server) throws Exception {
    try (Listener listener = new Listener(server);
        TestResourceManager rm = stuck(false, new HdfsLocationLookup(listener.asFileSystem()))) {
      getAll(rm);
    }
  }

  /** The client gives such a server up after a second: an ask that waited would be as late. */
  @Test
  void onceItIsKnownToTalkNonsenseNoAskIsKeptBackForIt() throws Exception {
    try (Listener listener = new Listener(Server.TALKS_NONSENSE);
        TestResourceManager rm = stuck(false, new HdfsLocationLookup(listener.asFileSystem()))) {
      MockAM am = rm.application("alice");
      nodes(rm);
      for (int i = 1; i <= LookupCircuitBreaker.IN_A_ROW; i++) {
        until(rm, am, new ArrayList<>(allocate(am, oneFile(i))), 1);
      }
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> metric("LookupsFailed") >= LookupCircuitBreaker.IN_A_ROW);
      long held = metric("AsksHeld");

      for (int i = 1; i <= LookupCircuitBreaker.IN_A_ROW; i++) {
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

  /** A server of that kind, and the clients that it has. */
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
        // It is closed, which is how the test ends.
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
  void oneThatIsNotThereKeepsNoContainerBack() throws Exception {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:1");
    try (TestResourceManager rm = stuck(false, new HdfsLocationLookup(conf))) {
      getAll(rm);
    }
  }

  /** Answers that cannot be true. */
  enum Wrong implements LocationLookup {
    NOTHING {
      @Override
      @SuppressWarnings("NullAway") // what is tried here
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
  void whatOneSaysWrongKeepsNoContainerBack(Wrong wrong) throws Exception {
    try (TestResourceManager rm = stuck(false, wrong)) {
      getAll(rm);
    }
  }

  /** All containers must come once the longest hold and the longest wait are over. */
  private static void getAll(TestResourceManager rm) throws Exception {
    MockAM am = rm.application("alice");
    nodes(rm);
    List<Container> come = new ArrayList<>(allocate(am, manyFiles()));
    rm.clock.advance(AskSettings.DEFAULT_HOLD);
    come.addAll(allocate(am, List.of()));
    rm.clock.advance(AskSettings.DEFAULT_WAIT_MAX);
    until(rm, am, come, FILES);
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
  private static void until(TestResourceManager rm, MockAM am, List<Container> come, int containers)
      throws Exception {
    while (come.size() < containers) {
      rm.heartbeatNodes();
      rm.clock.advance(20);
      come.addAll(allocate(am, List.of()));
    }
    rm.heartbeatNodes();
    come.addAll(allocate(am, List.of()));
    assertThat(come).hasSize(containers);
  }
}
