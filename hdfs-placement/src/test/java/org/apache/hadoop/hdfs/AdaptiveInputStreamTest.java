package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.read.ChunkBudget;
import dev.weir.hdfs.read.ReadContext;
import dev.weir.hdfs.read.StripedReadConfig;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reads from a real NameNode and four DataNodes. The clock stands still, so each stream uses as
 * many replicas as it can after its first window.
 */
class AdaptiveInputStreamTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int BLOCK = 12 << 20;
  private static final int LENGTH = 6 * BLOCK + 12_345;
  private static final int FIRST_WINDOW = 8 << 20;

  private static MiniDFSCluster cluster;
  private static CountedFileSystem fs;
  private static byte[] contents;
  private static Path file;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("weir-reads").toString());
    conf.set("fs.hdfs.impl", CountedFileSystem.class.getName());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(4).build();
    cluster.waitActive();
    fs = (CountedFileSystem) cluster.getFileSystem();
    contents = new byte[LENGTH];
    new Random(1).nextBytes(contents);
    file = write("/file", contents);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  @AfterEach
  void awaitUnusedBuffers() {
    await().atMost(LONG).until(() -> ChunkBudget.ofProcess().buffersInUse() == 0);
  }

  @Test
  void severalReplicasServeOneStream() throws Exception {
    Set<String> nodes = new HashSet<>();
    try (FSDataInputStream in = open(32)) {
      assertThat(in).isInstanceOf(HdfsDataInputStream.class);
      byte[] read = new byte[LENGTH];
      int done = 0;
      while (done < LENGTH) {
        done += in.read(read, done, Math.min(1 << 20, LENGTH - done));
        HdfsDataInputStream hdfs = (HdfsDataInputStream) in;
        DatanodeInfo node = hdfs.getCurrentDatanode();
        assertThat(node).isNotNull();
        nodes.add(node.getDatanodeUuid());
        assertThat(hdfs.getCurrentBlock())
            .isEqualTo(hdfs.getAllBlocks().get((done - 1) / BLOCK).getBlock());
      }
      assertThat(read).isEqualTo(contents);
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void bytesAreCountedForTheThreadThatReads() throws Exception {
    FileSystem.Statistics statistics = fs.statistics();
    statistics.reset();
    long before = statistics.getThreadStatistics().getBytesRead();
    try (FSDataInputStream in = open(32)) {
      in.readFully(new byte[LENGTH]);
      assertThat(((HdfsDataInputStream) in).getReadStatistics().getTotalBytesRead())
          .isEqualTo(LENGTH);
    }
    assertThat(statistics.getThreadStatistics().getBytesRead() - before).isEqualTo(LENGTH);
    assertThat(statistics.getBytesRead()).isEqualTo(LENGTH);
    assertThat(statistics.getBytesReadByDistance(0)).isEqualTo(LENGTH);
  }

  @Test
  void allWaysToReadGiveTheContents() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (FSDataInputStream in = open(32)) {
      in.readFully(new byte[FIRST_WINDOW]);
      long position = FIRST_WINDOW;
      for (int step = 0; step < 400; step++) {
        assertThat(in.getPos()).as("seed %d, step %d", seed, step).isEqualTo(position);
        assertThat(in.available()).isEqualTo((int) (LENGTH - position));
        position = step(in, random, position, "seed " + seed + ", step " + step);
      }
    }
  }

  private long step(FSDataInputStream in, Random random, long position, String what)
      throws IOException {
    int left = (int) (LENGTH - position);
    int wish = 1 + random.nextInt(random.nextInt(10) == 0 ? FIRST_WINDOW * 2 : 300_000);
    switch (random.nextInt(10)) {
      case 0 -> {
        int value = in.read();
        assertThat(value).as(what).isEqualTo(left == 0 ? -1 : contents[(int) position] & 0xff);
        return position + (left == 0 ? 0 : 1);
      }
      case 1, 2 -> {
        byte[] bytes = new byte[Math.min(wish, left)];
        in.readFully(bytes);
        assertIs(bytes, position, bytes.length, what);
        return position + bytes.length;
      }
      case 3, 4, 5 -> {
        byte[] bytes = new byte[wish + 7];
        int count = in.read(bytes, 7, wish);
        assertIs(Arrays.copyOfRange(bytes, 7, bytes.length), position, count, what);
        return position + Math.max(0, count);
      }
      case 6 -> {
        ByteBuffer buffer =
            random.nextBoolean() ? ByteBuffer.allocate(wish) : ByteBuffer.allocateDirect(wish);
        int count = in.read(buffer);
        byte[] bytes = new byte[Math.max(0, count)];
        buffer.flip().get(bytes);
        assertIs(bytes, position, count, what);
        return position + Math.max(0, count);
      }
      case 7 -> {
        int at = random.nextInt(LENGTH);
        byte[] bytes = new byte[Math.min(wish, LENGTH - at)];
        in.readFully(at, bytes);
        assertIs(bytes, at, bytes.length, what);
        return position;
      }
      case 8 -> {
        if (random.nextInt(4) == 0) {
          in.unbuffer();
        }
        return position + in.skip(Math.min(wish / 10, left));
      }
      default -> {
        if (random.nextInt(3) > 0) {
          return position;
        }
        long target = random.nextInt(LENGTH / 2);
        in.seek(target);
        return target;
      }
    }
  }

  private void assertIs(byte[] bytes, long position, int count, String what) {
    int from = (int) position;
    if (count < 0) {
      assertThat(from).as(what).isEqualTo(LENGTH);
      return;
    }
    assertThat(Arrays.equals(bytes, 0, count, contents, from, from + count))
        .as("%s: %d bytes at %d", what, count, position)
        .isTrue();
  }

  @Test
  void seeksBeyondTheEndFailAsInStockHdfs() throws Exception {
    try (FSDataInputStream in = open(32)) {
      in.readFully(new byte[FIRST_WINDOW + 1]);
      assertThatThrownBy(() -> in.seek(LENGTH + 1)).isInstanceOf(EOFException.class);
      in.seek(LENGTH);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void aClosedStreamFails() throws Exception {
    FSDataInputStream in = open(32);
    in.readFully(new byte[FIRST_WINDOW + 1]);
    in.close();
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    in.close();
  }

  @Test
  void aStreamThatIsClosedBeforeItUsesSeveralReplicasFails() throws Exception {
    FSDataInputStream in = open(32);
    in.readFully(new byte[FIRST_WINDOW]);
    in.close();
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    assertThat(ChunkBudget.ofProcess().buffersInUse()).isZero();
  }

  @Test
  void anInterruptEndsARead() throws Exception {
    try (FSDataInputStream in = open(32)) {
      in.readFully(new byte[FIRST_WINDOW + 1]);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> in.readFully(new byte[LENGTH - FIRST_WINDOW - 1]))
          .isInstanceOfAny(InterruptedIOException.class, IOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aDataNodeThatDiesIsReplaced() throws Exception {
    byte[] read = new byte[LENGTH];
    try (FSDataInputStream in = open(32)) {
      in.readFully(read, 0, FIRST_WINDOW + (5 << 20));
      MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(0);
      in.readFully(read, FIRST_WINDOW + (5 << 20), LENGTH - FIRST_WINDOW - (5 << 20));
      assertThat(cluster.restartDataNode(stopped)).isTrue();
    }
    cluster.waitActive();
    assertThat(read).isEqualTo(contents);
  }

  @Test
  void corruptReplicasAreReported() throws Exception {
    Path corrupt = write("/corrupt", contents);
    LocatedBlock block = fs.getClient().getLocatedBlocks(corrupt.toString(), 0).get(2);
    int holder = 0;
    while (!cluster
        .getDataNodes()
        .get(holder)
        .getDatanodeUuid()
        .equals(block.getLocations()[0].getDatanodeUuid())) {
      holder++;
    }
    cluster.getMaterializedReplica(holder, block.getBlock()).corruptData(new byte[BLOCK]);
    for (int i = 0; i < 3; i++) {
      byte[] read = new byte[LENGTH];
      try (FSDataInputStream in = open(corrupt, 32)) {
        in.readFully(read);
      }
      assertThat(read).isEqualTo(contents);
    }
    await()
        .atMost(LONG)
        .until(
            () ->
                cluster.getNamesystem().getBlockManager().getCorruptReplicaBlocksCount()
                        + fixed(corrupt, block)
                    > 0);
  }

  /** Whether HDFS has already replaced the corrupt replica. */
  private static long fixed(Path corrupt, LocatedBlock block) throws IOException {
    LocatedBlock now = fs.getClient().getLocatedBlocks(corrupt.toString(), 0).get(2);
    return Arrays.asList(now.getLocations()).contains(block.getLocations()[0]) ? 0 : 1;
  }

  @Test
  void manyStreamsShareTheBudget() throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> most = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        most.add(readers.submit(this::readAndWatch));
      }
      for (Future<Integer> each : most) {
        assertThat(each.get()).isBetween(1, 5);
      }
    } finally {
      readers.shutdown();
    }
  }

  private int readAndWatch() throws IOException {
    int most = 0;
    byte[] read = new byte[LENGTH];
    try (FSDataInputStream in = open(5)) {
      int done = 0;
      while (done < LENGTH) {
        done += in.read(read, done, Math.min(100_000, LENGTH - done));
        most = Math.max(most, ChunkBudget.ofProcess().buffersInUse());
      }
    }
    assertThat(read).isEqualTo(contents);
    return most;
  }

  @Test
  void otherFilesKeepTheirStream() throws Exception {
    AdaptiveReads reads = reads(32, LENGTH + 1L);
    FSDataInputStream small = fs.open(file);
    assertThat(reads.adapt(small)).isSameAs(small);
    small.close();
    try (FSDataOutputStream out = fs.create(new Path("/open"))) {
      out.write(contents);
      out.hflush();
      FSDataInputStream growing = fs.open(new Path("/open"));
      assertThat(reads(32, 1).adapt(growing)).isSameAs(growing);
      growing.close();
    }
  }

  @Test
  void localReplicasAreReadAlone() throws Exception {
    AdaptiveReads local = new AdaptiveReads(context(32, 1), fs.statistics(), node -> true);
    try (FSDataInputStream in = local.adapt(fs.open(file))) {
      byte[] read = new byte[LENGTH];
      in.readFully(read);
      assertThat(read).isEqualTo(contents);
      assertThat(ChunkBudget.ofProcess().buffersInUse()).isZero();
    }
  }

  private static FSDataInputStream open(int chunks) throws IOException {
    return open(file, chunks);
  }

  private static FSDataInputStream open(Path path, int chunks) throws IOException {
    FSDataInputStream in = reads(chunks, 1 << 20).adapt(fs.open(path));
    assertThat(((HdfsDataInputStream) in).getWrappedStream())
        .isInstanceOf(AdaptiveInputStream.class);
    return in;
  }

  private static AdaptiveReads reads(int chunks, long minBytes) {
    return new AdaptiveReads(context(chunks, minBytes), fs.statistics(), node -> false);
  }

  private static ReadContext context(int chunks, long minBytes) {
    return new ReadContext(
        new StripedReadConfig(true, minBytes, chunks), ChunkBudget.ofProcess(), () -> 0);
  }

  private static Path write(String name, byte[] bytes) throws IOException {
    Path path = new Path(name);
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(bytes);
    }
    return path;
  }

  /** Shows its statistics. */
  public static final class CountedFileSystem extends DistributedFileSystem {
    FileSystem.Statistics statistics() {
      return statistics;
    }
  }
}
