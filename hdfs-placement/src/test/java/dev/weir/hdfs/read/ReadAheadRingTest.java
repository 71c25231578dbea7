package dev.weir.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadAheadRingTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CHUNK = StripedReadConfig.CHUNK_BYTES;
  private static final int BLOCK = 2 * CHUNK + 1000;
  private static final int LENGTH = 3 * BLOCK + 5;

  private final ChunkBudget budget = new ChunkBudget();
  private final AtomicLong clock = new AtomicLong();
  private final FakeDataNodes nodes = new FakeDataNodes();
  private final ReplicaSelection selection = new ReplicaSelection("stream", clock::get);

  @AfterEach
  void allMemoryIsReturned() {
    nodes.releaseAll();
    await().atMost(LONG).until(() -> budget.buffersInUse() == 0);
  }

  @Test
  void readsAllBytesInOrder() throws Exception {
    try (ReadAheadRing ring = ring(100, 3)) {
      assertThat(readAll(ring, 3, LENGTH - 100)).isEqualTo(LENGTH - 100);
      assertThat(ring.isAtEnd()).isTrue();
      assertThat(ring.read(ByteBuffer.allocate(10), 3)).isZero();
    }
    assertThat(nodes.served.keySet()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void holdsNoMoreChunksThanTheBudgetAllows() throws Exception {
    try (ReadAheadRing ring = ring(0, 2)) {
      readAll(ring, 3, LENGTH);
    }
    assertThat(nodes.mostAtOnce.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void keepsNoMemoryOnceAllIsRead() throws Exception {
    try (ReadAheadRing ring = ring(0, 32)) {
      int done = 0;
      while (done < LENGTH) {
        done += ring.read(ByteBuffer.allocate(LENGTH), 3);
      }
      assertThat(budget.buffersInUse()).isZero();
    }
  }

  @Test
  void endsWithoutMemory() throws Exception {
    try (ReadAheadRing ring = ring(0, 0)) {
      assertThat(ring.read(ByteBuffer.allocate(10), 3)).isZero();
      assertThat(ring.isAtEnd()).isFalse();
    }
  }

  @Test
  void endsAtABlockThatIsReadAlone() throws Exception {
    nodes.localFrom = BLOCK;
    try (ReadAheadRing ring = ring(0, 32)) {
      assertThat(readAll(ring, 3, LENGTH)).isEqualTo(BLOCK);
      assertThat(ring.isAtEnd()).isTrue();
    }
  }

  @Test
  void endsWhenAChunkCannotBeFetched() throws Exception {
    nodes.failing.addAll(Set.of("a", "b", "c"));
    try (ReadAheadRing ring = ring(0, 32)) {
      assertThat(ring.read(ByteBuffer.allocate(10), 3)).isZero();
      assertThat(ring.isAtEnd()).isFalse();
    }
    assertThat(selection.usableCount(nodes.blockAt(0).replicas())).isLessThan(3);
  }

  @Test
  void endsWhenAReplicaCrawls() throws Exception {
    selection.measured("b", CHUNK, 1);
    selection.measured("c", CHUNK, 1);
    nodes.hanging.put("a", new CountDownLatch(1));
    try (ReadAheadRing ring = ring(0, 32)) {
      // The replica without a rate gets the first chunk.
      nodes.onHang = () -> clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
      assertThat(ring.read(ByteBuffer.allocate(10), 3)).isZero();
    }
    // Not the other ones: the clock also advances while they are fetched from.
    assertThat(selection.usableCount(nodes.blockAt(0).replicas().subList(0, 1))).isZero();
  }

  @Test
  void anInterruptedReaderReturnsItsBuffersWhenFetchesEnd() throws Exception {
    List<CountDownLatch> hanging = new ArrayList<>();
    for (String node : List.of("a", "b", "c")) {
      hanging.add(new CountDownLatch(1));
      nodes.hanging.put(node, hanging.get(hanging.size() - 1));
    }
    ReadAheadRing ring = ring(0, 32);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ring.read(ByteBuffer.allocate(10), 3))
        .isInstanceOf(InterruptedException.class);
    ring.close();
    hanging.forEach(CountDownLatch::countDown);
    await().atMost(LONG).until(() -> budget.buffersInUse() == 0);
  }

  @Test
  void aStoppedRingServesWhatItHasFetched() throws Exception {
    try (ReadAheadRing ring = ring(0, 32)) {
      read(ring, 0, 10);
      ring.stop();
      int count = 10;
      int last = ring.read(ByteBuffer.allocate(LENGTH), 1);
      while (last > 0) {
        count += last;
        last = ring.read(ByteBuffer.allocate(LENGTH), 1);
      }
      assertThat(count).isBetween(BLOCK, LENGTH - 1);
      assertThat(ring.isAtEnd()).isTrue();
    }
  }

  @Test
  void skipsWithinWhatWasFetched() throws Exception {
    try (ReadAheadRing ring = ring(0, 32)) {
      read(ring, 0, 10);
      assertThat(ring.skipTo(1000)).isTrue();
      read(ring, 1000, 10);
      assertThat(ring.skipTo(5)).isFalse();
      assertThat(ring.skipTo(LENGTH)).isFalse();
    }
  }

  private ReadAheadRing ring(long start, int chunks) {
    ReadContext context =
        new ReadContext(new StripedReadConfig(true, 0, chunks), budget, clock::get);
    return new ReadAheadRing(nodes, selection, context, start, LENGTH);
  }

  private static void read(ReadAheadRing ring, int from, int count) throws InterruptedException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    assertThat(ring.read(buffer, 3)).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(buffer.get(i)).isEqualTo(FakeDataNodes.at(from + i));
    }
  }

  /** Reads until the ring ends and returns the number of bytes, which are checked. */
  private static int readAll(ReadAheadRing ring, int width, int most) throws InterruptedException {
    Random random = new Random(5);
    int from = LENGTH - most;
    int done = 0;
    while (true) {
      ByteBuffer buffer = ByteBuffer.allocate(1 + random.nextInt(3_000_000));
      int count = ring.read(buffer, width);
      if (count == 0) {
        return done;
      }
      for (int i = 0; i < count; i += 997) {
        assertThat(buffer.get(i)).isEqualTo(FakeDataNodes.at(from + done + i));
      }
      done += count;
    }
  }

  /** Blocks with replicas on three nodes, which may fail or hang. */
  private static final class FakeDataNodes implements ReadAheadRing.Source {
    private final Map<String, Integer> served = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> hanging = new HashMap<>();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private volatile Runnable onHang = () -> {};
    private long localFrom = Long.MAX_VALUE;

    @Override
    public ReadBlock blockAt(long position) {
      long start = position / BLOCK * BLOCK;
      boolean local = start >= localFrom;
      return new ReadBlock(
          start,
          Math.min(start + BLOCK, LENGTH),
          List.of(
              new BlockReplica("a", "/r", local, 0),
              new BlockReplica("b", "/r", false, 0),
              new BlockReplica("c", "/r", false, 0)));
    }

    @Override
    public String fetch(long position, byte[] target, int length, String node) throws IOException {
      mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
      try {
        CountDownLatch latch = hanging.get(node);
        if (latch != null) {
          onHang.run();
          latch.await();
        }
        if (failing.contains(node)) {
          throw new IOException(node + " fails");
        }
        for (int i = 0; i < length; i++) {
          target[i] = at(position + i);
        }
        served.merge(node, 1, Integer::sum);
        return node;
      } catch (InterruptedException e) {
        throw new IOException(e);
      } finally {
        running.decrementAndGet();
      }
    }

    static byte at(long position) {
      return (byte) (position * 31 + position / 1000);
    }

    void releaseAll() {
      hanging.values().forEach(CountDownLatch::countDown);
    }
  }
}
