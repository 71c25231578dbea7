package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.worker.TestTools;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with two replicas, which the first node forwards to the second. */
class HdfsFileCreatorTest extends HdfsStoreTestBase {

  private static final String PACKET = "dfs.client-write-packet-size";
  private static final String IN_FLIGHT = "dfs.client.write.max-packets-in-flight";
  private static final int SHORT = 100_000;
  private static final long TEN_MEGABIT = 1_250_000;
  private static final long GIGABIT = 125_000_000;

  private final List<DistributedFileSystem> openedClients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (DistributedFileSystem other : openedClients) {
      other.close();
    }
  }

  @Test
  void shortFileHasSmallPackets() throws Exception {
    HdfsFileCreator creator = new HdfsFileCreator(fs, TEN_MEGABIT, this::openOther);
    Path path = new Path("/packets/short");
    byte[] content = bytes(SHORT, 1);

    try (FSDataOutputStream out = creator.create(path, SHORT)) {
      out.write(content);
    }

    assertThat(openedClients).hasSize(1);
    assertThat(openedClients.get(0).getConf().getInt(PACKET, 0)).isEqualTo(4096);
    assertThat(openedClients.get(0).getConf().getInt(IN_FLIGHT, 0))
        .as("the same number of bytes")
        .isEqualTo(1280);
    FileStatus stored = fs.getFileStatus(path);
    assertThat(stored.getReplication()).isEqualTo((short) 2);
    assertThat(stored.getBlockSize()).isEqualTo(BLOCK);
    java.nio.file.Path target = temp.resolve("target");
    find("/packets/short", 0).fetch(target);
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void dataNodesReceiveSmallPackets() throws Exception {
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(SHORT, 2));

    long usual = packets(store, source, "/packets/put-usual");
    long small = packets(storing(TEN_MEGABIT), source, "/packets/put");

    assertThat(usual).as("packets of 64 KiB and the empty last packet").isBetween(1L, 4L);
    assertThat(small).as("packets of 4 KiB").isBetween((long) SHORT / 4096, 40L);
  }

  @Test
  void smallFileIsOnePacketOnFastLinks() throws Exception {
    java.nio.file.Path source = temp.resolve("source");
    Files.write(source, bytes(60_000, 3));

    long slow = packets(storing(TEN_MEGABIT), source, "/packets/slow");
    long fast = packets(storing(GIGABIT), source, "/packets/fast");

    assertThat(slow).isGreaterThan(10);
    assertThat(fast).as("one packet and the empty last packet").isEqualTo(2);
  }

  @Test
  void similarFilesShareAClient() throws Exception {
    HdfsFileCreator creator = new HdfsFileCreator(fs, TEN_MEGABIT, this::openOther);

    for (int i = 0; i < 3; i++) {
      creator.create(new Path("/packets/alike" + i), SHORT).close();
    }

    assertThat(openedClients).hasSize(1);
  }

  @Test
  void fileOfUnknownLengthCountsAsFullBlocks() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(PACKET, 2 * BLOCK / 16);
    try (FileSystem larger = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsFileCreator creator =
          new HdfsFileCreator((DistributedFileSystem) larger, TEN_MEGABIT, this::openOther);

      creator.create(new Path("/packets/unknown"), HdfsFileCreator.UNKNOWN_LENGTH).close();
    }

    assertThat(openedClients).hasSize(1);
    assertThat(openedClients.get(0).getConf().getInt(PACKET, 0)).isEqualTo(BLOCK / 16);
  }

  @ParameterizedTest
  @ValueSource(longs = {16L << 20, HdfsFileCreator.UNKNOWN_LENGTH})
  void largeBlocksHaveUsualPackets(long length) throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setLong("dfs.blocksize", 16 << 20);
    try (FileSystem large = FileSystem.newInstance(fs.getUri(), conf)) {
      HdfsFileCreator creator =
          new HdfsFileCreator((DistributedFileSystem) large, TEN_MEGABIT, this::openOther);

      creator.create(new Path("/packets/large"), length).close();
    }

    assertThat(openedClients).isEmpty();
  }

  @Test
  void unknownLinkSpeedMeansUsualPackets() throws Exception {
    new HdfsFileCreator(fs, 0, this::openOther).create(new Path("/packets/plain"), SHORT).close();

    assertThat(openedClients).isEmpty();
  }

  @Test
  void fileIsWrittenEvenIfNoClientCanBeOpened() throws Exception {
    HdfsFileCreator creator =
        new HdfsFileCreator(
            fs,
            TEN_MEGABIT,
            conf -> {
              throw new IOException("no more");
            });

    creator.create(new Path("/packets/without"), SHORT).close();

    assertThat(fs.exists(new Path("/packets/without"))).isTrue();
  }

  /**
   * Returns how many packets of a file the forwarding node has received, including the empty last
   * one.
   */
  private static long packets(HdfsDataStore putting, java.nio.file.Path source, String path)
      throws IOException {
    List<Long> before = received();
    putting.put(source, path);
    awaitReplicas(path);
    List<Long> after = received();
    long most = 0;
    for (int i = 0; i < before.size(); i++) {
      most = Math.max(most, after.get(i) - before.get(i));
    }
    return most;
  }

  private static List<Long> received() {
    List<Long> all = new ArrayList<>();
    for (DataNode node : cluster.getDataNodes()) {
      MetricsCollectorImpl seen = new MetricsCollectorImpl();
      DefaultMetricsSystem.instance().getSource(node.getMetrics().name()).getMetrics(seen, true);
      seen.getRecords().stream()
          .flatMap(line -> StreamSupport.stream(line.metrics().spliterator(), false))
          .filter(metric -> metric.name().equals("PacketsReceived"))
          .forEach(metric -> all.add(metric.value().longValue()));
    }
    return all;
  }

  private DistributedFileSystem openOther(Configuration conf) throws IOException {
    DistributedFileSystem other = PlainHdfs.open(fs.getUri(), conf);
    openedClients.add(other);
    return other;
  }

  private static HdfsDataStore storing(long bytesPerSecond) throws IOException {
    return new HdfsDataStore(fs, "n1", TestTools.AT_ONCE, bytesPerSecond);
  }
}
