package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.hdfs.read.ChunkBudget;
import dev.weir.hdfs.read.StripedReadConfig;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of a file of one block from several replicas, of which one dies, is corrupt or crawls. The
 * links of the four nodes limit the rate of a replica.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StripedReadsIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final LinkRate LINK = LinkRate.parse("200mbit");

  /** At this rate a replica would need half an hour for the file. */
  private static final LinkRate CRAWL = LinkRate.parse("400kbit");

  private static final int MEBIBYTE = 1 << 20;
  private static final int LENGTH = 96 * MEBIBYTE;
  private static final int LARGE = 256 * MEBIBYTE;
  private static final short REPLICAS = 3;

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private DistributedFileSystem fs;
  private byte[] contents;
  private org.apache.hadoop.fs.Path file;

  @BeforeAll
  void start() throws Exception {
    assumeThat(System.getProperty("user.name")).as("links need root").isEqualTo("root");
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(4)
            .link(LINK)
            .outside(true)
            .configuration("dfs.blocksize", String.valueOf(LARGE))
            .configuration(StripedReadConfig.ENABLED_KEY, "true")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("striped reads: " + step));
    files = new HdfsFiles(cluster);
    fs = (DistributedFileSystem) files.fs();
    contents = new byte[LENGTH];
    new Random(34).nextBytes(contents);
    file = new org.apache.hadoop.fs.Path("/file");
    try (FSDataOutputStream out = fs.create(file, REPLICAS)) {
      out.write(contents);
    }
    awaitReplicas();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      fs.close();
      cluster.close();
    }
  }

  @AfterEach
  void allMemoryIsReturned() {
    await().atMost(DEADLINE).until(() -> ChunkBudget.ofProcess().buffersInUse() == 0);
  }

  @Test
  void aDataNodeThatIsKilledIsReplaced() throws Exception {
    byte[] read = new byte[LENGTH];
    String victim;
    try (FSDataInputStream in = fs.open(file)) {
      int done = readFromSeveral(in, read);
      victim = node(in);
      cluster.stopDaemon(victim);
      in.readFully(read, done, LENGTH - done);
    }
    assertThat(read).isEqualTo(contents);
    cluster.startDaemon(victim);
    awaitReplicas();
  }

  @Test
  void aCorruptReplicaIsReadFromOthersAndReplaced() throws Exception {
    ExtendedBlock block = fs.getClient().getLocatedBlocks(file.toString(), 0).get(0).getBlock();
    Path replica = replica(files.hosts(file.toString()).get(0), block);
    byte[] garbage = new byte[LENGTH];
    Files.write(replica, garbage);

    await()
        .atMost(DEADLINE)
        .until(
            () -> {
              byte[] read = new byte[LENGTH];
              try (FSDataInputStream in = fs.open(file)) {
                in.readFully(read);
              }
              assertThat(read).isEqualTo(contents);
              return !isCorrupt(replica);
            });
    awaitReplicas();
  }

  @Test
  void aReplicaThatBeginsToCrawlIsLeft() throws Exception {
    byte[] read = new byte[LENGTH];
    try (FSDataInputStream in = fs.open(file)) {
      int done = readFromSeveral(in, read);
      assertReadOnWithout(node(in), in, read, done);
    }
  }

  @Test
  void aReplicaThatCrawlsFromTheStartIsLeft() throws Exception {
    byte[] read = new byte[LENGTH];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(read, 0, 1000);
      assertReadOnWithout(node(in), in, read, 1000);
    }
  }

  /** An unmodified program on a host without replicas. */
  @Test
  void hadoopFsReadsALargeFileFromSeveralReplicas() throws Exception {
    Path original = folder.resolve("original");
    byte[] mebibyte = new byte[MEBIBYTE];
    new Random(35).nextBytes(mebibyte);
    try (OutputStream out = Files.newOutputStream(original)) {
      for (int i = 0; i < LARGE / MEBIBYTE; i++) {
        mebibyte[i] ^= (byte) 0xff;
        out.write(mebibyte);
      }
    }
    org.apache.hadoop.fs.Path large = new org.apache.hadoop.fs.Path("/large");
    fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(original.toUri()), large);
    long[] before = sent();

    files.shell("outside", List.of("-get", large.toString(), folder.toString()));

    assertThat(Files.mismatch(original, folder.resolve("large"))).isEqualTo(-1);
    long[] after = sent();
    int served = 0;
    for (int i = 0; i < after.length; i++) {
      served += after[i] - before[i] > LARGE / 8 ? 1 : 0;
    }
    assertThat(served).as("nodes that sent an eighth of a file of one block").isBetween(2, 3);
    assertThat(fs.delete(large, false)).isTrue();
  }

  private void assertReadOnWithout(String node, FSDataInputStream in, byte[] read, int done)
      throws Exception {
    limit(node, CRAWL);
    try {
      long before = cluster.traffic(node).sent();
      in.readFully(read, done, LENGTH - done);
      assertThat(cluster.traffic(node).sent() - before)
          .as("bytes of %s, which crawls", node)
          .isLessThan(3 * MEBIBYTE);
    } finally {
      limit(node, LINK);
    }
    assertThat(read).isEqualTo(contents);
    // Without heartbeats it may have been taken for dead.
    awaitReplicas();
  }

  /** Reads until two DataNodes have served the block. Returns the number of bytes. */
  private static int readFromSeveral(FSDataInputStream in, byte[] read) throws IOException {
    Set<String> nodes = new HashSet<>();
    int done = 0;
    while (nodes.size() < 2) {
      assertThat(done).as("bytes from one replica").isLessThan(LENGTH / 2);
      int count = in.read(read, done, 64 << 10);
      done += count;
      nodes.add(node(in));
    }
    return done;
  }

  private static String node(FSDataInputStream in) {
    DatanodeInfo node = ((HdfsDataInputStream) in).getCurrentDatanode();
    assertThat(node).isNotNull();
    return node.getHostName();
  }

  private void limit(String node, LinkRate rate) throws Exception {
    String qdisc =
        "tc qdisc replace dev eth0 root tbf rate %dbit burst %d limit %d"
            .formatted(rate.bitsPerSecond(), rate.burstBytes(), rate.queueBytes());
    List<String> tc = List.of(qdisc.split(" "));
    assertThat(cluster.command(node, tc).inheritIO().start().waitFor()).as("%s", tc).isZero();
  }

  private void awaitReplicas() {
    await().atMost(DEADLINE).until(() -> files.hosts(file.toString()).size() == REPLICAS);
  }

  /** The file of a DataNode that has a replica. */
  private Path replica(String node, ExtendedBlock block) throws IOException {
    try (Stream<Path> all = Files.walk(cluster.dir().resolve("nodes").resolve(node))) {
      return all.filter(path -> path.endsWith(block.getBlockName())).findFirst().orElseThrow();
    }
  }

  /** Whether a file exists that is not the block's contents. */
  private boolean isCorrupt(Path replica) throws IOException {
    return Files.exists(replica) && !Arrays.equals(Files.readAllBytes(replica), contents);
  }

  private long[] sent() throws IOException {
    long[] sent = new long[cluster.nodes().size()];
    for (int i = 0; i < sent.length; i++) {
      sent[i] = cluster.traffic(cluster.nodes().get(i).name()).sent();
    }
    return sent;
  }
}
