package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.worker.ObservedNameNode;
import dev.weir.workflow.worker.TestTools;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DataNodes that require block tokens, as in a cluster with Kerberos. */
class BlockTokensTest {
  /** Enough for the store to list the directory, which gives no block tokens. */
  private static final int FILES = 101;

  private static final int BATCH = 5;

  @TempDir java.nio.file.Path temp;

  /** Calls to the NameNode. */
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void directReadsAndWritesUseBlockTokens(boolean encrypted) throws Exception {
    Configuration conf = ReadFailoverSettings.applyTo(new Configuration());
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.resolve("hdfs").toString());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setBoolean("dfs.encrypt.data.transfer", encrypted);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      try (DistributedFileSystem fs = cluster.getFileSystem()) {
        writeAndRead(fs);
      }
    }
  }

  private void writeAndRead(DistributedFileSystem fs) throws Exception {
    KnownBlocksClient client =
        new KnownBlocksClient(
            ObservedNameNode.of(fs.getClient().getNamenode(), calls::add), fs.getConf());
    HdfsDataStore store = new HdfsDataStore(fs, "n1", client, TestTools.AT_ONCE);
    HdfsStoreTestBase.putMany(store, temp, "/tokens/", FILES);
    try (InputStream in = fs.open(new Path("/tokens/7"))) {
      assertThat(in.readAllBytes()).isEqualTo(HdfsStoreTestBase.bytes(100, 7));
    }
    Map<String, Source> found =
        store.find(
            IntStream.range(0, FILES)
                .mapToObj(i -> new FileSlot("tokens/" + i, "/tokens/" + i, 0))
                .toList());
    calls.clear();

    java.nio.file.Path target = temp.resolve("target");
    requireNonNull(found.get("/tokens/7")).fetch(target);

    assertThat(target).hasBinaryContent(HdfsStoreTestBase.bytes(100, 7));
    assertThat(calls)
        .as("the token is requested before a DataNode refuses a call without it")
        .startsWith("getLocatedFileInfo")
        .doesNotContain("getBlockLocations");
    readBatch(client);
  }

  /** Checks that files looked up one by one have their block tokens. */
  private static void readBatch(KnownBlocksClient client) throws Exception {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      HdfsLocatedFileStatus file = requireNonNull(client.getLocatedFileInfo("/tokens/" + i, true));
      blocks.add(file.getLocatedBlocks().get(0));
    }
    SmallBlocks together = new SmallBlocks(client);
    for (DatanodeInfo node : blocks.get(0).getLocations()) {
      // The second read uses the kept connection.
      for (int time = 0; time < 2; time++) {
        List<byte[]> contents = together.read(node, blocks).contents();
        assertThat(contents).hasSize(BATCH);
        for (int i = 0; i < BATCH; i++) {
          assertThat(contents.get(i)).isEqualTo(HdfsStoreTestBase.bytes(100, i));
        }
      }
    }
  }
}
