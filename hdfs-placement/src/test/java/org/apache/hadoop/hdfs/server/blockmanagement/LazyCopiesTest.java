package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.OverdueCopies;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On two DataNodes, a file of three replicas lacks one. */
class LazyCopiesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration HALF = LazyCopies.LIMIT.dividedBy(2);

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  private final AtomicLong now = new AtomicLong();
  private final LazyCopies copies =
      new LazyCopies(
          NamesystemReader.of(
              cluster.getNamesystem().getBlockManager().getDatanodeManager().getFSClusterStats()),
          now::get);

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("weir-lazy").toString());
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 3);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.shutdown(true);
  }

  @Test
  void closedFilesThatLackCopiesBecomeOverdue() throws Exception {
    try (FSDataOutputStream out = fs.create(new Path("/open"), (short) 3)) {
      out.write(1);
      out.hflush();
      watch("/open");
      now.addAndGet(LazyCopies.LIMIT.toNanos());
      assertThat(copies.overdue().files()).as("open").isZero();
    }
    assertThat(fs.rename(new Path("/open"), new Path("/renamed"))).isTrue();
    now.addAndGet(HALF.toNanos());
    assertThat(copies.overdue().files()).as("not late yet").isZero();
    now.addAndGet(HALF.toNanos());
    assertThat(awaitOverdue(1).oldest()).isEqualTo(LazyCopies.LIMIT);
    fs.setReplication(new Path("/renamed"), (short) 2);
    awaitOverdue(0);
  }

  @Test
  void deletedFilesAreForgotten() throws Exception {
    try (FSDataOutputStream out = fs.create(new Path("/deleted"), (short) 3)) {
      out.write(1);
      out.hflush();
      watch("/deleted");
    }
    now.addAndGet(LazyCopies.LIMIT.toNanos());
    awaitOverdue(1);
    fs.delete(new Path("/deleted"), false);
    awaitOverdue(0);
    copies.watch("/absent");
    now.addAndGet(LazyCopies.LIMIT.toNanos());
    awaitOverdue(0);
  }

  /** Another thread may hold the lock. */
  private void watch(String file) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              copies.watch(file);
              return copies.size() == 1;
            });
  }

  private OverdueCopies awaitOverdue(long files) {
    return await().atMost(LONG).until(copies::overdue, overdue -> overdue.files() == files);
  }
}
