package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.FILE_BYTES;
import static dev.weir.hdfs.HintedCluster.LONG;
import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hints neither endanger data nor fail writes, on a real NameNode and six DataNodes. */
class DurabilityClusterTest {
  private static final long MIB = 1 << 20;

  private static HintedCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        HintedCluster.start(
            List.of(
                rule("/pipeline/**", HintPresets.pipeline()),
                rule("/reduce/**", HintPresets.reduce("g")),
                rule("/scatter/**", HintPresets.scatter(MIB)),
                rule("/nodes/**", HintText.parse("nodes=n1+n2+n3")),
                rule("/out/**", HintText.parse("local,lazy,temporary")),
                rule("/quota/**", HintPresets.broadcast(6))),
            Map.of("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER"));
    fs = (DistributedFileSystem) cluster.fs();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void syncedDataOfALazyFileSurvivesADataNode() throws Exception {
    Path path = new Path("/pipeline/log");
    FSDataOutputStream out = fs.create(path);
    out.write(new byte[FILE_BYTES]);
    ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
    DatanodeInfo first =
        fs.getClient().getLocatedBlocks("/pipeline/log", 0).get(0).getLocations()[0];
    List<String> nodes =
        cluster.hadoop().getDataNodes().stream().map(DataNode::getDatanodeUuid).toList();
    var stopped = cluster.hadoop().stopDataNode(nodes.indexOf(first.getDatanodeUuid()));
    try (FSDataInputStream in = fs.open(path)) {
      assertThat(in.readNBytes(FILE_BYTES + 1)).hasSize(FILE_BYTES);
    }
    out.write(new byte[FILE_BYTES]);
    out.close();
    assertThat(fs.getFileStatus(path).getLen()).isEqualTo(2 * FILE_BYTES);
    assertThat(cluster.hadoop().restartDataNode(stopped, true)).isTrue();
    cluster.hadoop().waitActive();
    // The NameNode may have chosen the stopped DataNode for the third replica, and waits minutes.
    fs.delete(path, false);
  }

  @Test
  void hdfsMovesNothingAfterwards() throws Exception {
    List<Path> files = new ArrayList<>();
    for (String hint : List.of("pipeline", "reduce", "scatter", "nodes")) {
      for (int i = 0; i < 5; i++) {
        files.add(cluster.write("/" + hint + "/rest" + i, 3 * (int) MIB));
      }
    }
    for (Path file : files) {
      cluster.awaitHostsByBlock(file, 3);
    }
    BlockManager manager = cluster.hadoop().getNamesystem().getBlockManager();
    await()
        .atMost(LONG)
        .until(
            () ->
                manager.getPendingReconstructionBlocksCount() == 0
                    && manager.getLowRedundancyBlocksCount() == 0);
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    DFSck check =
        new DFSck(
            cluster.hadoop().getConfiguration(0),
            new PrintStream(report, true, StandardCharsets.UTF_8));
    assertThat(ToolRunner.run(check, new String[] {"/", "-replicate"})).isZero();
    assertThat(report.toString(StandardCharsets.UTF_8))
        .containsPattern("Mis-replicated blocks:\\s+0 ")
        .containsPattern("Under-replicated blocks:\\s+0 ");
    BlockManagerTestUtil.updateState(manager);
    assertThat(manager.getLowRedundancyBlocksCount()).isZero();
    for (Path file : files) {
      assertThat(cluster.racks(file)).hasSize(2);
    }
  }

  @Test
  void aQuotaThatHasNoRoomForTheHintGivesTheWritersOwnReplication() throws Exception {
    Path directory = new Path("/quota");
    fs.mkdirs(directory);
    fs.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 3 * 2 * MIB);
    Path path = new Path(directory, "x");
    try (FSDataOutputStream out = fs.create(path)) {
      assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 6);
      out.write(new byte[2 * (int) MIB]);
    }
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 3);
    cluster.awaitHostsByBlock(path, 3);
    assertThatThrownBy(() -> cluster.write("/quota/y", 1))
        .as("what stock HDFS refuses too")
        .isInstanceOf(DSQuotaExceededException.class);
    fs.delete(path, false);
    assertThatThrownBy(
            () -> {
              try (FSDataOutputStream out = fs.create(path, (short) 5)) {
                out.write(new byte[2 * (int) MIB]);
              }
            })
        .as("a number that the program chose")
        .isInstanceOf(DSQuotaExceededException.class);
    fs.delete(path, false);
    try (FSDataOutputStream out = fs.createFile(path).build()) {
      out.write(1);
    }
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 3);
  }

  @Test
  void outputOfATaskFollowsTheHintOfItsFinalPath() throws Exception {
    String attempt = "/out/_temporary/0/_temporary/attempt_1_0001_m_000000_0";
    Path written = cluster.write(attempt + "/a=1/part-0", FILE_BYTES);
    assertThat(fs.getFileStatus(written).getReplication()).isEqualTo((short) 1);
    Path task = new Path("/out/_temporary/0/task_1_0001_m_000000");
    assertThat(fs.rename(new Path(attempt), task)).isTrue();
    assertThat(fs.rename(new Path(task, "a=1"), new Path("/out/a=1"))).isTrue();
    fs.delete(new Path("/out/_temporary"), true);
    FileStatus file = fs.getFileStatus(new Path("/out/a=1/part-0"));
    assertThat(file.getReplication()).isEqualTo((short) 1);
    assertThat(cluster.awaitHosts(file.getPath(), 1)).hasSize(1);
  }

  @Test
  void aFileWithOneReplicaIsOverwrittenAndCreatedNonRecursively() throws IOException {
    Path path = new Path("/out/one");
    fs.create(path).close();
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(1);
    }
    assertThat(fs.getFileStatus(path).getReplication()).isEqualTo((short) 1);
    assertThat(fs.getFileStatus(path).getLen()).isEqualTo(1);
    Path other = new Path("/out/two");
    fs.createNonRecursive(other, true, 4096, fs.getDefaultReplication(other), MIB, null).close();
    assertThat(fs.getFileStatus(other).getReplication()).isEqualTo((short) 1);
  }
}
