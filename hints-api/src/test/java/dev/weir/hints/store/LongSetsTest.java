package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sets that do not fit into one znode, in a real ZooKeeper. */
class LongSetsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String SETS = "/weir/sets";
  private static final String PARTS = "/weir/parts";
  private static final int REPLACES = Integer.getInteger("weir.replaces", 10);
  private static final byte[] BYTES = new byte[2 * SetSerializer.MAX_STORED];

  private TestingServer server;
  private CuratorFramework client;

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer(true);
    client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    client.start();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
  }

  @Test
  void storesAppliesReplacesAndRemovesFiveMegabyteSet() throws Exception {
    HintSet set = set(9_000, 1);
    assertThat(SetSerializer.encode(set)).hasSizeGreaterThan(5_000_000);
    try (HintStore writer = open("");
        HintStore watcher = open("namenode")) {
      assertThat(watcher.awaitLoaded(LONG)).isTrue();
      long version = writer.put(set, VersionConflictException.ABSENT);
      assertThat(writer.find("long").map(StoredSet::version)).hasValue(version);
      assertThat(writer.get("long")).hasValue(set);
      assertThat(writer.awaitApplied(version, "namenode", LONG)).isTrue();
      assertThat(watcher.snapshot().size()).isEqualTo(9_000);
      assertThatThrownBy(() -> writer.put(set(1, 2), 1))
          .isInstanceOf(VersionConflictException.class);
      long second = writer.put(set(1, 2), version);
      assertThat(client.getChildren().forPath(PARTS)).as("the old parts are gone").isEmpty();
      assertThat(writer.awaitApplied(second, "namenode", LONG)).isTrue();
      assertThat(watcher.snapshot().size()).isEqualTo(1);
      writer.put(set(3_000, 3));
      assertThat(client.getChildren().forPath(PARTS)).hasSize(1);
      assertThat(writer.remove("long")).isTrue();
      assertThat(client.getChildren().forPath(PARTS)).isEmpty();
      await().atMost(LONG).until(() -> watcher.snapshot().size() == 0);
    }
  }

  @Test
  void readersSeeOnlyCompleteSetsDuringReplacements() throws Exception {
    List<HintSet> both = List.of(set(2_000, 1), set(2_400, 2));
    assertThat(SetSerializer.encode(both.get(0))).hasSizeGreaterThan(SetSerializer.MAX_STORED);
    Set<Integer> sizes = new HashSet<>();
    try (HintStore writer = open("");
        HintStore reader = open("");
        HintStore watcher = open("namenode")) {
      writer.put(both.get(0));
      await().atMost(LONG).until(() -> watcher.snapshot().size() == 2_000);
      CompletableFuture<Long> replaces =
          CompletableFuture.supplyAsync(
              () -> {
                long last = 0;
                for (int i = 1; i <= REPLACES; i++) {
                  try {
                    last = writer.put(both.get(i % 2));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
                return last;
              });
      while (!replaces.isDone()) {
        assertThat(reader.get("long")).get().isIn(both);
        sizes.add(watcher.snapshot().size());
      }
      assertThat(writer.awaitApplied(replaces.get(), "namenode", LONG)).isTrue();
      assertThat(sizes).isSubsetOf(2_000, 2_400);
      assertThat(client.getChildren().forPath(PARTS)).hasSize(1);
    }
  }

  @Test
  void writerKilledBeforeHeadLeavesOldSetAndPartsAreSwept() throws Exception {
    SetZnodes young = new SetZnodes(SETS, new SetParts(PARTS, Duration.ofDays(1)));
    SetZnodes old = new SetZnodes(SETS, new SetParts(PARTS, Duration.ZERO));
    try (HintStore store = open("")) {
      HintSet before = set(1, 1);
      long version = store.put(before);
      new SetParts(PARTS, Duration.ZERO).write(client, "long", BYTES);
      assertThat(store.get("long")).hasValue(before);
      assertThat(store.find("long").map(StoredSet::version)).hasValue(version);
      young.put(client, "other", BYTES);
      assertThat(client.getChildren().forPath(PARTS)).as("its writer may still finish").hasSize(2);
      old.put(client, "third", BYTES);
      assertThat(client.getChildren().forPath(PARTS)).as("those of other and third").hasSize(2);
      assertThat(store.get("long")).hasValue(before);
    }
  }

  @Test
  void writerCannotUseSweptParts() throws Exception {
    SetParts parts = new SetParts(PARTS, Duration.ZERO);
    client.create().creatingParentsIfNeeded().forPath(SETS);
    SetParts.Head head = parts.write(client, "long", BYTES);
    parts.sweep(client, SETS, System.currentTimeMillis() + 1_000_000);
    assertThat(parts.read(client, head)).isEmpty();
    assertThatThrownBy(
            () -> client.transaction().forOperations(List.of(parts.markUsed(client, head, "long"))))
        .isInstanceOf(NoNodeException.class);
  }

  @Test
  void corruptPartsAreRejected() throws Exception {
    try (HintStore store = open("")) {
      store.put(set(2_400, 1));
      String parts = PARTS + "/" + client.getChildren().forPath(PARTS).get(0);
      client.setData().forPath(parts + "/1", new byte[] {1});
      assertThatThrownBy(() -> store.get("long")).hasMessageContaining("read hint set 'long'");
      try (HintStore watcher = open("")) {
        assertThat(watcher.awaitLoaded(LONG)).isTrue();
        assertThat(watcher.snapshot().size()).isZero();
        store.put(set(2, 2));
        await().atMost(LONG).until(() -> watcher.snapshot().size() == 2);
      }
    }
  }

  private HintStore open(String role) {
    return ZooKeeperHintStore.open(new HintSettings(server.getConnectString(), "/weir"), role);
  }

  /** A set with long names that compress badly, so that few rules make a long text. */
  private static HintSet set(int rules, long seed) {
    Random random = new Random(seed);
    List<Rule> all =
        IntStream.range(0, rules)
            .mapToObj(
                i -> new Rule(PathPattern.literal("/d" + name(random)), HintPresets.pipeline()))
            .toList();
    return new HintSet("long", "alice", null, all);
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder(804);
    byte[] bytes = new byte[150];
    for (int i = 0; i < 4; i++) {
      random.nextBytes(bytes);
      name.append('/').append(Base64.getUrlEncoder().encodeToString(bytes));
    }
    return name.toString();
  }
}
