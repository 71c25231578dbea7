package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.LogLimit;
import dev.weir.hints.store.InMemoryHintStore;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;

/** When placement is stock, and placement of local, lazy and broadcast files. */
class WeirBlockPlacementPolicyTest extends PolicyOverTwoRacks {
  private static final Hint TEMPORARY =
      HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();

  @Test
  void initializesAsInTheBalancer() {
    assertThatCode(() -> new WeirBlockPlacementPolicy().initialize(conf, null, topology, null))
        .doesNotThrowAnyException();
    assertThatCode(() -> new WeirBlockPlacementPolicy().initialize(conf, null, null, null))
        .doesNotThrowAnyException();
  }

  @Test
  void loadsHintsAtInitializationOnlyInANameNode() {
    for (boolean nameNode : new boolean[] {true, false}) {
      InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
      LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
      new WeirBlockPlacementPolicy(unused -> hints)
          .initialize(conf, nameNode ? new StaleAvoidingStats() : null, topology, null);
      assertThat(hints.awaitLoaded(nameNode ? LONG : Duration.ZERO)).isEqualTo(nameNode);
    }
  }

  @Test
  void startsWithoutHintsIfTheStoreHangsOrThrows() {
    for (LazyHints hints : List.of(stuck(), throwing())) {
      WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(unused -> hints);
      policy.initialize(conf, new StaleAvoidingStats(), topology, null);
      assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
    }
  }

  private static LazyHints throwing() {
    return new LazyHints(
        () -> {
          throw new NoClassDefFoundError("no such library");
        },
        LogLimit.oncePerMinute());
  }

  private static LazyHints stuck() {
    return new LazyHints(
        () -> {
          await().forever().until(() -> false);
          throw new AssertionError("it never opens");
        },
        LogLimit.oncePerMinute());
  }

  @Test
  void withoutAQuorumEverythingIsStock() {
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy();
    policy.initialize(conf, null, topology, null);
    assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
  }

  @Test
  void aFailingIndexMeansStockPlacementAndOneLogLinePerMinute() {
    AtomicLong now = new AtomicLong();
    AtomicLong checks = new AtomicLong();
    LogLimit limit =
        new LogLimit(
            Duration.ofMinutes(1),
            () -> {
              checks.incrementAndGet();
              return now.get();
            });
    LazyHints broken = new LazyHints(BrokenHintStore::new, limit);
    WeirBlockPlacementPolicy policy = policy(unused -> broken);
    write(policy, 3, node(0), NEW);
    await().atMost(LONG).until(() -> broken.awaitLoaded(LONG));
    long before = policy.metrics().failures();
    for (int i = 0; i < 10; i++) {
      assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
    }
    assertThat(policy.metrics().failures()).isEqualTo(before + 10);
    assertThat(checks).as("checks of the log limit").hasValueGreaterThan(9);
    assertThat(limit.permits()).as("log line still permitted").isFalse();
  }

  @Test
  void aStoreThatNeverOpensMeansStockPlacement() {
    LazyHints stuck =
        new LazyHints(
            () -> {
              await().forever().until(() -> false);
              throw new IllegalStateException("unreachable");
            },
            LogLimit.oncePerMinute());
    WeirBlockPlacementPolicy policy = policy(unused -> stuck);
    assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
  }

  @Test
  void aFileWithoutAHintIsStock() {
    assertThat(write(hinted("/other", HintPresets.pipeline()), 3, node(0), NEW)).hasSize(3);
  }

  @Test
  void aLazyFileBeginsOnTwoRacksAndATemporaryOneOnOneNode() {
    List<DatanodeDescriptor> two = write(hinted("/f", HintPresets.pipeline()), 3, node(1), NEW);
    assertThat(two).hasSize(2).startsWith(node(1));
    assertThat(two.get(1)).isIn(node(3), node(4), node(5));
    assertThat(write(hinted("/f", TEMPORARY), 3, node(1), NEW)).containsExactly(node(1));
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY, 2);
    assertThat(write(hinted("/f", TEMPORARY), 3, node(1), NEW)).hasSize(2).startsWith(node(1));
  }

  @Test
  void aFileWhoseWriterChoseTheReplicationIsEager() {
    assertThat(write(hinted("/f", HintPresets.pipeline()), 4, node(1), NEW)).hasSize(4);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 4);
    assertThat(write(hinted("/f", HintPresets.pipeline()), 4, node(1), NEW)).hasSize(2);
    assertThat(write(hinted("/f", HintPresets.pipeline()), 3, node(1), NEW)).hasSize(3);
  }

  @Test
  void aLocalFileWhoseNodeIsFullGoesToItsRackAndThenAnywhere() {
    setFree(node(1), 0);
    for (int i = 0; i < 20; i++) {
      assertThat(write(hinted("/f", TEMPORARY), 3, node(1), NEW))
          .singleElement()
          .isIn(node(0), node(2));
    }
    setFree(node(0), 0);
    setFree(node(2), 0);
    assertThat(write(hinted("/f", TEMPORARY), 3, node(1), NEW))
        .singleElement()
        .isIn(node(3), node(4), node(5));
  }

  @Test
  void aLocalFileOfAWriterWithoutADataNodeGoesToTheWritersRackAndThenAnywhere() {
    Node client = new NodeBase("/b/client");
    for (int i = 0; i < 20; i++) {
      assertThat(write(hinted("/f", TEMPORARY), 3, client, NEW))
          .singleElement()
          .isIn(node(3), node(4), node(5));
    }
    storages.subList(3, 6).forEach(storage -> setFree(storage.getDatanodeDescriptor(), 0));
    assertThat(write(hinted("/f", TEMPORARY), 3, client, NEW))
        .singleElement()
        .isIn(node(0), node(1), node(2));
    assertThat(write(hinted("/f", TEMPORARY), 3, new NodeBase("/c/elsewhere"), NEW))
        .singleElement()
        .isIn(node(0), node(1), node(2));
  }

  @Test
  void excludingTheLocalNodeOverridesHints() {
    for (AddBlockFlag flag : List.of(AddBlockFlag.NO_LOCAL_WRITE, AddBlockFlag.NO_LOCAL_RACK)) {
      assertThat(write(hinted("/f", HintPresets.pipeline()), 3, node(1), EnumSet.of(flag)))
          .hasSize(3);
    }
  }

  @Test
  void favouredNodesOverrideHints() {
    DatanodeStorageInfo[] targets =
        hinted("/f", HintPresets.pipeline())
            .chooseTarget(
                "/f",
                2,
                node(0),
                new HashSet<>(),
                BLOCK,
                List.of(node(2), node(4)),
                storagePolicy,
                NEW);
    assertThat(nodes(targets)).containsExactlyInAnyOrder(node(2), node(4));
  }

  @Test
  void pipelineRecoveryIsStock() {
    DatanodeStorageInfo[] targets =
        hinted("/f", EAGER)
            .chooseTarget(
                "/f",
                1,
                node(0),
                List.of(storages.get(0)),
                true,
                new HashSet<>(),
                BLOCK,
                storagePolicy,
                null);
    assertThat(nodes(targets)).hasSize(2).contains(node(0));
  }

  @Test
  void aRedirectOfWebHdfsIsStock() {
    DatanodeStorageInfo[] targets =
        hinted("/f", EAGER)
            .chooseTarget("/f", 1, node(0), List.of(), false, null, BLOCK, storagePolicy, null);
    assertThat(nodes(targets)).containsExactly(node(0));
  }

  @Test
  void rejectionsOfTheLocalNodeAreCounted() {
    setFree(node(1), 0);
    WeirBlockPlacementPolicy policy = hinted("/f", HintPresets.pipeline());
    write(policy, 3, node(1), NEW);
    write(policy, 3, null, NEW);
    assertReasons(
        PlacementKind.LOCAL, Map.of(RejectionReason.FULL, 1L, RejectionReason.NO_WRITER, 1L));
  }

  @Test
  void replicasAreLimitedToTheNumberOfNodes() {
    assertThat(write(hinted("/f", EAGER), 9, node(0), NEW)).hasSizeBetween(5, 6);
    assertThat(write(hinted("/f", HintPresets.broadcast(9)), 9, node(0), NEW)).hasSizeBetween(5, 6);
  }

  @Test
  void aBroadcastIsStockWithMoreReplicas() {
    assertThat(write(hinted("/f", HintPresets.broadcast(5)), 5, node(0), NEW))
        .hasSize(5)
        .startsWith(node(0));
  }

  @Test
  void anUnreachablePolicyClosesItsStore() {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    LazyHints hints = new LazyHints(() -> store.withRole("dropped"), LogLimit.oncePerMinute());
    writeOnce(hints);
    await().atMost(LONG).until(() -> store.awaitApplied(0, "dropped", Duration.ofMillis(1)));
    await()
        .atMost(LONG)
        .until(
            () -> {
              System.gc();
              return !store.awaitApplied(0, "dropped", Duration.ofMillis(1));
            });
  }

  /** A separate method, so that no local variable refers to the policy afterwards. */
  private void writeOnce(LazyHints hints) {
    write(policy(unused -> hints), 1, node(0), NEW);
  }
}
