package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.worker.ObservedNameNode;
import dev.weir.workflow.worker.TestTools;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A store over an HDFS of two nodes, n1 and n2, that counts calls to its NameNode. */
public abstract class HdfsStoreTestBase {

  public static final int BLOCK = 1 << 20;

  static final AtomicLong CALLS = new AtomicLong();

  @TempDir static java.nio.file.Path directory;
  public static MiniDFSCluster cluster;
  public static DistributedFileSystem fs;
  public static HdfsDataStore store;

  @TempDir public java.nio.file.Path temp;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ReadFailoverSettings.applyTo(new Configuration());
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK / 2);
    conf.setInt("dfs.replication", 2);
    conf.setInt("dfs.ls.limit", 100);
    // A NameNode requests deletions and copies in its answers to heartbeats.
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setBoolean("dfs.namenode.acls.enabled", true);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(2).hosts(new String[] {"n1", "n2"}).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    store =
        new HdfsDataStore(
            fs,
            "n1",
            new KnownBlocksClient(
                ObservedNameNode.of(fs.getClient().getNamenode(), call -> CALLS.incrementAndGet()),
                fs.getConf()),
            TestTools.AT_ONCE);
  }

  @AfterAll
  static void stop() throws IOException {
    fs.close();
    cluster.shutdown();
  }

  static byte[] bytes(int count, int seed) {
    byte[] content = new byte[count];
    new Random(seed).nextBytes(content);
    return content;
  }

  static void write(String path, byte[] content) throws IOException {
    try (OutputStream out = fs.create(new Path(null, null, path), true)) {
      out.write(content);
    }
  }

  /** Writes numbered files of a hundred bytes. */
  static void putMany(DataStore store, java.nio.file.Path scratch, String directory, int files)
      throws IOException {
    for (int i = 0; i < files; i++) {
      store.put(Files.write(scratch.resolve("put"), bytes(100, i)), directory + i);
    }
  }

  /**
   * Waits for the second replica, which the NameNode learns of shortly after the file is closed.
   */
  static void awaitReplicas(String path) {
    await("both replicas of " + path)
        .until(() -> locations(path).allMatch(block -> block.getLocations().length == 2));
  }

  /** Restarts a stopped node and waits until both nodes are registered. */
  static void restart(DataNodeProperties stopped) throws IOException {
    assertThat(cluster.restartDataNode(stopped, true)).isTrue();
    await().until(() -> fs.getDataNodeStats().length == 2);
    cluster.waitActive();
  }

  static long sum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return Checksum.of(crc);
  }

  static List<FileSlot> slots(List<String> paths) {
    return paths.stream().map(path -> new FileSlot(path.substring(1), path, 0)).toList();
  }

  /** Looks up a file alone, or among enough others that they are listed or looked up in batches. */
  static Source find(String path, int others) throws IOException {
    List<String> paths = new ArrayList<>(List.of(path));
    for (int i = 0; i < others; i++) {
      String other = path.substring(0, path.lastIndexOf('/')) + "/other" + i;
      if (!fs.exists(new Path(other))) {
        write(other, new byte[0]);
      }
      paths.add(other);
    }
    Map<String, Source> found = store.find(slots(paths));
    assertThat(found).hasSize(others + 1);
    return requireNonNull(found.get(path));
  }

  static long calls() {
    return CALLS.get();
  }

  public static Stream<LocatedBlock> locations(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0).getLocatedBlocks().stream();
  }
}
