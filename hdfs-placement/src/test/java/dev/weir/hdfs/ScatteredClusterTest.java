package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files whose regions go to different nodes, in a real NameNode. */
class ScatteredClusterTest {
  private static final int MIB = 1 << 20;

  private static HintedCluster cluster;

  @BeforeAll
  static void startCluster() throws Exception {
    Hint hint = Hint.builder().placement(new Placement.Scatter(2 * MIB)).build();
    cluster = HintedCluster.start(List.of(rule("/scatter/*", hint)));
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void asManyRegionsAsNodesAreOnDifferentNodes() throws Exception {
    Path path = create("/scatter/one", 1, 12 * MIB);
    assertThat(cluster.fs().getFileStatus(path).getBlockSize()).isEqualTo(MIB);
    List<Set<String>> regions = regions(cluster.awaitHostsByBlock(path, 1));
    assertThat(regions).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void theReplicasOfARegionAreTogether() throws Exception {
    Path path = create("/scatter/three", 3, 11 * MIB);
    List<Set<String>> regions = regions(cluster.awaitHostsByBlock(path, 3));
    assertThat(regions).hasSize(6);
    assertThat(new HashSet<>(regions)).hasSizeGreaterThan(3);
  }

  @Test
  void copiesMadeLaterKeepRegionsTogether() throws Exception {
    Path path = create("/scatter/raised", 1, 12 * MIB);
    cluster.awaitHostsByBlock(path, 1);
    cluster.fs().setReplication(path, (short) 2);
    regions(cluster.awaitHostsByBlock(path, 2));
  }

  @Test
  void anAppendContinuesWithTheNextRegion() throws Exception {
    Path path = create("/scatter/grown", 1, 4 * MIB);
    try (FSDataOutputStream out = cluster.fs().append(path)) {
      out.write(new byte[8 * MIB]);
    }
    List<Set<String>> regions = regions(cluster.awaitHostsByBlock(path, 1));
    assertThat(regions).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void anUnfinishedCopyIsPlacedLikeItsTarget() throws Exception {
    List<Set<String>> expected = cluster.awaitHostsByBlock(create("/scatter/put", 1, 8 * MIB), 1);
    List<Set<String>> unfinished =
        cluster.awaitHostsByBlock(create("/scatter/put._COPYING_", 1, 8 * MIB), 1);
    assertThat(unfinished).isEqualTo(expected);
  }

  @Test
  void aRenameDuringTheWriteKeepsTheRegions() throws Exception {
    Path path = new Path("/scatter/moving");
    Path moved = new Path("/scatter/moved");
    try (FSDataOutputStream out = cluster.fs().create(path, (short) 1)) {
      out.write(new byte[MIB]);
      out.hflush();
      cluster.fs().rename(path, moved);
      out.write(new byte[11 * MIB]);
    }
    List<Set<String>> regions = regions(cluster.awaitHostsByBlock(moved, 1));
    assertThat(regions).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void anOverwrittenFileStartsWithTheFirstRegion() throws Exception {
    List<Set<String>> before = cluster.awaitHostsByBlock(create("/scatter/anew", 1, 5 * MIB), 1);
    try (FSDataOutputStream abandoned = cluster.fs().create(new Path("/scatter/anew"), (short) 1)) {
      abandoned.write(new byte[3 * MIB]);
    }
    List<Set<String>> after = cluster.awaitHostsByBlock(create("/scatter/anew", 1, 5 * MIB), 1);
    assertThat(after).isEqualTo(before);
  }

  @Test
  void blocksOfACachedFileAreCountedWithoutTheLock() throws Exception {
    PlacementMetrics metrics = PlacementMetrics.registered();
    Path path = new Path("/scatter/known");
    try (FSDataOutputStream out = cluster.fs().create(path, (short) 1)) {
      out.write(new byte[MIB]);
      out.hflush();
      long honoured = metrics.count(PlacementKind.SCATTER, PlacementOutcome.HONOURED);
      whileLocked(() -> assertThat(cluster.choose(path.toString(), 1, null)).hasSize(1));
      assertThat(metrics.count(PlacementKind.SCATTER, PlacementOutcome.HONOURED))
          .isEqualTo(honoured + 1);
    }
  }

  @Test
  void doesNotWaitForTheLock() throws Exception {
    PlacementMetrics metrics = PlacementMetrics.registered();
    try (FSDataOutputStream out = cluster.fs().create(new Path("/scatter/busy"), (short) 1)) {
      long unknown = metrics.count(PlacementKind.SCATTER, RejectionReason.NO_INDEX);
      long stock = metrics.count(PlacementKind.SCATTER, PlacementOutcome.STOCK);
      whileLocked(() -> assertThat(cluster.choose("/scatter/busy", 2, null)).hasSize(2));
      assertThat(metrics.count(PlacementKind.SCATTER, RejectionReason.NO_INDEX))
          .isEqualTo(unknown + 1);
      assertThat(metrics.count(PlacementKind.SCATTER, PlacementOutcome.STOCK)).isEqualTo(stock + 1);
      out.write(1);
    }
  }

  /** Runs a task while another thread holds the NameNode's write lock. */
  private static void whileLocked(Callable<?> task) throws Exception {
    Lock lock = cluster.hadoop().getNamesystem().getFsLockForTests().writeLock();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    ExecutorService holder = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> isReleased =
          holder.submit(
              () -> {
                lock.lock();
                try {
                  held.countDown();
                  return done.await(60, TimeUnit.SECONDS);
                } finally {
                  lock.unlock();
                }
              });
      held.await();
      task.call();
      done.countDown();
      assertThat(isReleased.get()).as("the lock was held all the time").isTrue();
    } finally {
      done.countDown();
      holder.shutdownNow();
    }
  }

  /** Does the same as {@code dfsadmin -reconfig}. */
  @Test
  void aRunningNameNodeSwitchesToStockAndBack() throws Exception {
    Configuration conf = new Configuration(cluster.hadoop().getConfiguration(0));
    BlockManager manager = cluster.hadoop().getNamesystem().getBlockManager();
    PlacementMetrics metrics = PlacementMetrics.registered();
    conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    manager.refreshBlockPlacementPolicy(conf);
    long decisions = metrics.count(PlacementKind.SCATTER, PlacementOutcome.HONOURED);
    create("/scatter/stock", 1, 2 * MIB);
    assertThat(metrics.count(PlacementKind.SCATTER, PlacementOutcome.HONOURED))
        .isEqualTo(decisions);
    manager.refreshBlockPlacementPolicy(cluster.hadoop().getConfiguration(0));
    await()
        .atMost(HintedCluster.LONG)
        .until(
            () -> {
              cluster.fs().delete(create("/scatter/hinted", 1, MIB), false);
              return metrics.count(PlacementKind.SCATTER, PlacementOutcome.HONOURED) > decisions;
            });
  }

  private static Path create(String name, int replication, int bytes) throws Exception {
    Path path = new Path(name);
    try (FSDataOutputStream out = cluster.fs().create(path, (short) replication)) {
      out.write(new byte[bytes]);
    }
    return path;
  }

  /** The hosts of each region; checks that both of its blocks have the same hosts. */
  private static List<Set<String>> regions(List<Set<String>> blocks) {
    List<Set<String>> regions = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i += 2) {
      assertThat(blocks.get(Math.min(i + 1, blocks.size() - 1))).isEqualTo(blocks.get(i));
      regions.add(blocks.get(i));
    }
    return regions;
  }
}
