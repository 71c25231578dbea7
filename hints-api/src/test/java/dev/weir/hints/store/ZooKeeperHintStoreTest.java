package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.index.HintIndex;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZooKeeperHintStoreTest extends HintStoreContract {
  /** For tests with ZooKeeper: a machine that is busy for seconds loses no session. */
  private static final ZooKeeperTiming LONG_SESSION = timing(Duration.ofSeconds(10));

  /** For tests in which ZooKeeper is unavailable for a while. */
  private static final ZooKeeperTiming SHORT_SESSION = timing(Duration.ofSeconds(2));

  /** For tests in which ZooKeeper never answers. */
  private static final ZooKeeperTiming SHORTEST_SESSION = timing(Duration.ofMillis(500));

  private final List<HintStore> opened = new ArrayList<>();
  private TestingServer server;

  private static ZooKeeperTiming timing(Duration session) {
    return new ZooKeeperTiming(
        session,
        session,
        Duration.ofSeconds(1),
        Duration.ofMillis(50),
        Duration.ofMillis(200),
        Duration.ofMillis(500));
  }

  @BeforeEach
  void startServer() throws Exception {
    server = new TestingServer(true);
  }

  @AfterEach
  void stopAll() throws Exception {
    opened.forEach(HintStore::close);
    server.close();
  }

  @Override
  HintStore open(String role) {
    return open(LONG_SESSION, server.getConnectString(), role);
  }

  private HintStore openWithShortSession(String role) {
    return open(SHORT_SESSION, server.getConnectString(), role);
  }

  private HintStore open(ZooKeeperTiming timing, String quorum, String role) {
    HintSettings settings = new HintSettings(quorum, "/weir/test");
    HintStore store =
        ZooKeeperHintStore.open(
            settings, new ZooKeeperHintStore.Watching(role, "here", 7), clock, timing);
    opened.add(store);
    return store;
  }

  @Test
  void rejectsEmptyQuorum() {
    assertThatThrownBy(() -> ZooKeeperHintStore.open(new HintSettings("", "/weir")))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageContaining("weir.zookeeper.quorum is empty; write");
  }

  @Test
  void withoutZooKeeperIndexIsEmptyAndPutFails() throws Exception {
    String quorum = server.getConnectString();
    server.stop();
    HintStore store = open(SHORTEST_SESSION, quorum, "namenode");
    assertThat(store.snapshot().size()).isZero();
    assertThat(store.awaitLoaded(Duration.ofMillis(10))).isFalse();
    assertThatThrownBy(() -> store.put(set("a", "/x", HintPresets.pipeline(), null)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot write hint set 'a': no ZooKeeper session with " + quorum);
  }

  @Test
  void withSilentZooKeeperIndexIsEmptyAndPutFails() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      HintStore store = open(SHORTEST_SESSION, "127.0.0.1:" + silent.getLocalPort(), "namenode");
      assertThat(store.snapshot().size()).isZero();
      assertThatThrownBy(() -> store.put(set("a", "/x", HintPresets.pipeline(), null)))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void invalidQuorumLeavesIndexEmpty() {
    HintStore store = open(SHORTEST_SESSION, "no such host at all:what?", "");
    assertThat(store.snapshot().size()).isZero();
    assertThatThrownBy(() -> store.get("a")).isInstanceOf(IOException.class);
  }

  @Test
  void resumesWhenZooKeeperReturns() throws Exception {
    HintStore watcher = openWithShortSession("namenode");
    HintStore writer = openWithShortSession("");
    long version = writer.put(set("a", "/x", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(version, "namenode", LONG)).isTrue();
    server.stop();
    assertThatThrownBy(() -> writer.put(set("b", "/y", HintPresets.pipeline(), null)))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(watcher.snapshot().lookup("/x")).as("the latest known stays").isPresent();
    await().atMost(LONG).until(() -> !watcher.status().connected());
    clock.advance(Duration.ofSeconds(30));
    assertThat(watcher.status().age()).isEqualTo(Duration.ofSeconds(30));
    server.restart();
    await()
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> writer.put(set("c", "/z", HintPresets.pipeline(), null)) > version);
    await().atMost(LONG).until(() -> watcher.snapshot().lookup("/z").isPresent());
    long last = writer.put(set("d", "/w", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(last, "namenode", LONG)).isTrue();
  }

  @Test
  void ignoresInvalidSets() throws Exception {
    HintStore store = open("");
    store.put(set("a", "/x", HintPresets.pipeline(), null));
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
      client.start();
      byte[] broken = "{\"id\":\"b\",\"colour\":1}".getBytes(StandardCharsets.UTF_8);
      client.create().forPath("/weir/test/sets/b", broken);
      client.create().forPath("/weir/test/sets/c", new byte[] {0x1f, (byte) 0x8b, 0});
    }
    long version = store.put(set("d", "/z", HintPresets.pipeline(), null));
    await().atMost(LONG).until(() -> store.snapshot().version() >= version);
    assertThat(store.snapshot().size()).isEqualTo(2);
    assertThatThrownBy(() -> store.get("b"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("znode /weir/test/sets/b: /colour: is not a known field");
  }

  @Test
  void catchesUpAfterZooKeeperRestart() throws Exception {
    HintStore writer = openWithShortSession("");
    for (int i = 0; i < 200; i++) {
      writer.put(set("s" + i, "/x/" + i, HintPresets.pipeline(), null));
    }
    HintStore watcher = openWithShortSession("namenode");
    assertThat(watcher.awaitLoaded(LONG)).isTrue();
    assertThat(watcher.snapshot().size()).isEqualTo(200);
    server.restart();
    await()
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> writer.remove("s7") || isRemoved(writer, "s7"));
    writer.put(set("s8", "/y", HintPresets.reuse(), null));
    long last = writer.put(set("s200", "/x/200", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(last, "namenode", LONG)).isTrue();
    HintIndex index = watcher.snapshot();
    assertThat(index.version()).isGreaterThanOrEqualTo(last);
    assertThat(index.lookup("/x/7")).isEmpty();
    assertThat(index.lookup("/x/8")).isEmpty();
    assertThat(index.lookup("/y")).isPresent();
    assertThat(index.size()).isEqualTo(200);
  }

  @Test
  void appliedVersionContainsAllEarlierChanges() throws Exception {
    HintStore watcher = open("namenode");
    HintStore writer = open("");
    List<HintIndex> seen = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      versions.add(writer.put(set("s" + i % 10, "/x/" + i, HintPresets.pipeline(), null)));
      seen.add(watcher.snapshot());
    }
    long last = versions.get(versions.size() - 1);
    assertThat(writer.awaitApplied(last, "namenode", LONG)).isTrue();
    seen.add(watcher.snapshot());
    for (HintIndex index : seen) {
      for (int i = 0; i < versions.size(); i++) {
        if (versions.get(i) <= index.version()) {
          long applied = index.set("s" + i % 10).orElseThrow().version();
          assertThat(applied).isGreaterThanOrEqualTo(versions.get(i));
        }
      }
    }
  }

  private static boolean isRemoved(HintStore store, String id) throws IOException {
    return store.find(id).isEmpty();
  }
}
