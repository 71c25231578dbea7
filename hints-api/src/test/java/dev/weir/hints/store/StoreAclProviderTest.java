package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real ZooKeeper, only the writer's identity may write. */
class StoreAclProviderTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;
  private TestingServer server;

  @BeforeEach
  void startServer() throws Exception {
    server = new TestingServer(true);
  }

  @AfterEach
  void stopServer() throws Exception {
    server.close();
  }

  @Test
  void othersReadAndPublishVersionsButCannotWrite() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "weir:open sesame\n");
    try (HintStore service = open(StoreAccess.closed("@" + secret), "service");
        HintStore again = open(StoreAccess.closed("weir:open sesame"), "");
        HintStore nameNode = open(StoreAccess.following(Set.of("digest:weir")), "namenode");
        HintStore other = open(new StoreAccess("weir:guessed", true, Set.of()), "")) {
      long version = service.put(set("a"));
      assertThat(service.awaitApplied(version, "namenode", LONG)).isTrue();
      assertThat(nameNode.snapshot().lookup("/a")).isPresent();
      for (HintStore stranger : List.of(nameNode, other)) {
        assertThatThrownBy(() -> stranger.put(set("a")))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(
                "cannot write hint set 'a': ZooKeeper lets only the hints service");
        assertThatThrownBy(() -> stranger.put(set("b"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> stranger.remove("a")).isInstanceOf(IOException.class);
      }
      assertThat(again.put(set("b"), VersionConflictException.ABSENT)).isGreaterThan(version);
      assertThat(again.remove("a")).isTrue();
    }
  }

  @Test
  void setsWrittenWhileOpenAreRestricted() throws Exception {
    try (HintStore before = open(StoreAccess.OPEN, "")) {
      before.put(set("a"));
      try (HintStore service = open(StoreAccess.closed("weir:secret"), "service")) {
        assertThat(service.awaitLoaded(LONG)).isTrue();
        await()
            .atMost(LONG)
            .untilAsserted(
                () ->
                    assertThatThrownBy(() -> before.put(set("a"))).isInstanceOf(IOException.class));
        assertThatThrownBy(() -> before.remove("a")).isInstanceOf(IOException.class);
        service.put(set("a"));
      }
    }
  }

  @Test
  void othersCannotChangeOtherZnodes() throws Exception {
    StoreAccess access = StoreAccess.closed("weir:secret");
    HintSettings settings = new HintSettings(server.getConnectString(), "/weir", "", access);
    try (CuratorFramework stranger =
            CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        CuratorFramework writer =
            ZooKeeperClients.builder(settings).retryPolicy(new RetryOneTime(100)).build()) {
      stranger.start();
      writer.start();
      stranger.create().creatingParentsIfNeeded().forPath("/weir/reconciler/state");
      try (HintStore service = ZooKeeperHintStore.open(settings, "service")) {
        assertThat(service.awaitLoaded(LONG)).isTrue();
        assertThat(writer.checkExists().forPath("/weir/reconciler")).isNull();
        writer.create().creatingParentsIfNeeded().forPath("/weir/reconciler/state");
        List<Callable<?>> writes =
            List.of(
                () -> stranger.setData().forPath("/weir/reconciler/state", new byte[1]),
                () -> stranger.create().forPath("/weir/reconciler/files-1"),
                () -> stranger.create().forPath("/weir/leader"),
                () -> stranger.delete().forPath("/weir/sets"));
        for (Callable<?> write : writes) {
          assertThatThrownBy(write::call).isInstanceOf(KeeperException.NoAuthException.class);
        }
        await()
            .atMost(LONG)
            .until(() -> stranger.checkExists().forPath("/weir/applied/service") != null);
        stranger.create().forPath("/weir/applied/namenode");
      }
    }
  }

  @Test
  void unreadableCredentialsAllowNoWrites() throws Exception {
    StoreAccess access = StoreAccess.closed("@" + directory.resolve("missing"));
    try (HintStore anonymous = open(access, "")) {
      assertThatThrownBy(() -> anonymous.put(set("a"))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void settingsErrorsOmitPassword() {
    Configuration conf = new Configuration(false);
    conf.set(StoreAccess.AUTH_KEY, "weir:secret");
    assertThat(HintSettings.from(conf)).asString().doesNotContain("secret");
    conf.set(StoreAccess.OPEN_KEY, "yes");
    assertThatThrownBy(() -> StoreAccess.from(conf))
        .isInstanceOf(InvalidHintException.class)
        .hasMessage("weir.zookeeper.open is 'yes'; write true or false");
    assertThatThrownBy(() -> StoreAccess.following(Set.of("world:anyone")))
        .isInstanceOf(InvalidHintException.class);
    assertThatThrownBy(() -> StoreAccess.closed("nocolon"))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageNotContaining("nocolon");
  }

  @Test
  void nameNodesFollowOnlyPermittedWriters() throws Exception {
    try (HintStore anyone = open(StoreAccess.OPEN, "");
        HintStore nameNode = open(StoreAccess.following(Set.of("digest:weir")), "nn")) {
      assertThat(nameNode.awaitLoaded(LONG)).as("there is nothing to follow yet").isTrue();
      anyone.put(set("a"));
      await().atMost(LONG).until(() -> nameNode.status().problem() != null);
      assertThat(nameNode.status().problem())
          .contains("world:anyone may change /weir")
          .contains(StoreAccess.WRITERS_KEY)
          .contains(StoreAccess.OPEN_KEY);
      assertThat(nameNode.snapshot().size()).isZero();
      try (HintStore service = open(StoreAccess.closed("weir:secret"), "service")) {
        long version = service.put(set("b"));
        assertThat(service.awaitApplied(version, "nn", LONG)).isTrue();
        assertThat(nameNode.snapshot().lookup("/b")).isPresent();
        assertThat(nameNode.status().problem()).isNull();
      }
    }
    try (HintStore other = open(StoreAccess.following(Set.of("digest:other")), "other")) {
      await().atMost(LONG).until(() -> other.status().problem() != null);
      assertThat(other.snapshot().size()).isZero();
    }
  }

  @Test
  void setsThatOthersMayChangeAreNotFollowed() throws Exception {
    StoreAccess access = StoreAccess.closed("weir:secret");
    HintSettings settings = new HintSettings(server.getConnectString(), "/weir", "", access);
    try (HintStore service = ZooKeeperHintStore.open(settings, "service");
        CuratorFramework writer =
            ZooKeeperClients.builder(settings).retryPolicy(new RetryOneTime(100)).build()) {
      writer.start();
      service.put(set("a"));
      service.put(set("b"));
      writer.setACL().withACL(Ids.OPEN_ACL_UNSAFE).forPath("/weir/sets/a");
      service.put(set("a"));
      await().atMost(LONG).until(() -> service.status().problem() != null);
      assertThat(service.snapshot().lookup("/a")).isEmpty();
      assertThat(service.snapshot().lookup("/b")).isPresent();
      writer.setACL().withACL(Ids.CREATOR_ALL_ACL).forPath("/weir/sets/a");
      service.put(set("c"));
      await().atMost(LONG).until(() -> service.snapshot().lookup("/a").isPresent());
      assertThat(service.status().problem()).isNull();
    }
  }

  @Test
  void anonymousProcessesCreateNoOpenRoot() throws Exception {
    StoreAccess nameNode = StoreAccess.following(Set.of("digest:weir"));
    try (HintStore follower = open(nameNode, "namenode");
        CuratorFramework client =
            CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
      client.start();
      assertThat(follower.awaitLoaded(LONG)).isTrue();
      assertThatThrownBy(() -> follower.put(set("a")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(StoreAccess.OPEN_KEY);
      assertThat(client.checkExists().forPath("/weir")).isNull();
    }
  }

  private HintStore open(StoreAccess access, String role) {
    return ZooKeeperHintStore.open(
        new HintSettings(server.getConnectString(), "/weir", "", access), role);
  }

  private static HintSet set(String id) {
    Rule rule = new Rule(PathPattern.literal("/" + id), HintPresets.pipeline());
    return new HintSet(id, "alice", null, List.of(rule));
  }
}
