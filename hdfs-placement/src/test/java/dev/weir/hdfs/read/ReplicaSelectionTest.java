package dev.weir.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplicaSelectionTest {
  private static final BlockReplica A = new BlockReplica("a", "/r1", false, 2);
  private static final BlockReplica B = new BlockReplica("b", "/r1", false, 2);
  private static final BlockReplica C = new BlockReplica("c", "/r2", false, 2);
  private static final BlockReplica BUSY = new BlockReplica("b", "/r1", false, 40);

  private final AtomicLong clock = new AtomicLong();
  private final ReplicaSelection selection = new ReplicaSelection("stream", clock::get);

  @Test
  void aStreamStaysWithItsReplica() {
    String first = selection.single(block(A, B)).orElseThrow().node();
    BlockReplica same = new BlockReplica(first, "/r1", false, 40);
    BlockReplica other = first.equals("a") ? B : A;
    assertThat(selection.single(block(other, same))).contains(same);
    assertThat(selection.single(block(other, C))).contains(other);
  }

  @Test
  void streamsAreSpread() {
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      ReplicaSelection stream = new ReplicaSelection("stream" + i, clock::get);
      nodes.add(stream.single(block(A, B)).orElseThrow().node());
    }
    assertThat(nodes).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void theLeastLoadedReplicaIsReadAlone() {
    for (int i = 0; i < 20; i++) {
      ReplicaSelection stream = new ReplicaSelection("stream" + i, clock::get);
      assertThat(stream.single(block(BUSY, A))).contains(A);
    }
  }

  @Test
  void anotherRackIsNotReadAlone() {
    BlockReplica idle = new BlockReplica("c", "/r2", false, 0);
    assertThat(selection.single(block(BUSY, idle))).contains(BUSY);
  }

  @Test
  void localReplicasKeepTheirOrder() {
    BlockReplica local = new BlockReplica("l", "/r1", true, 50);
    assertThat(selection.single(block(local, A))).isEmpty();
    assertThat(block(local, A).isStripable()).isFalse();
  }

  @Test
  void theNextChunkComesFromTheFastestIdleReplicaInUse() {
    selection.measured("a", 100, 10);
    selection.measured("b", 100, 5);
    selection.measured("c", 100, 7);
    assertThat(selection.next(List.of(A, B, C), 2)).contains(B);
    selection.started("b");
    assertThat(selection.next(List.of(A, B, C), 2)).contains(A);
    selection.started("a");
    assertThat(selection.next(List.of(A, B, C), 2)).isEmpty();
    assertThat(selection.next(List.of(A, B, C), 3)).contains(C);
    selection.ended("b");
    assertThat(selection.next(List.of(A, B, C), 2)).contains(B);
  }

  @Test
  void busyDataNodesAreUsedLast() {
    assertThat(selection.next(List.of(BUSY, A, C), 1)).contains(A);
    selection.started("a");
    assertThat(selection.next(List.of(BUSY, A, C), 2)).contains(C);
  }

  @Test
  void crawlingAndFailedReplicasAreTriedAgainLater() {
    selection.measured("a", 100, 10);
    selection.measured("b", 100, 31);
    selection.failed("c");
    assertThat(selection.usableCount(List.of(A, B, C))).isEqualTo(1);
    assertThat(selection.single(block(B, A))).contains(A);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
    assertThat(selection.usableCount(List.of(A, B, C))).isEqualTo(3);
  }

  @Test
  void anotherRackIsReadAloneIfTheNearestOneFails() {
    selection.failed("a");
    assertThat(selection.single(block(A, C))).contains(C);
    selection.failed("c");
    assertThat(selection.single(block(A, C))).isEmpty();
  }

  private static ReadBlock block(BlockReplica... replicas) {
    return new ReadBlock(0, 100, List.of(replicas));
  }
}
