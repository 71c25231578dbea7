package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.transfer.DataStore.Stored;
import dev.weir.workflow.worker.ObservedNameNode;
import dev.weir.workflow.worker.TestTools;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClientFaultInjector;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of one packet and of several packets in an HDFS of two nodes. */
class SmallFilesTest extends HdfsStoreTestBase {

  private static final Stored FALLBACK = new Stored(Map.of("elsewhere", 1L), 1, 0);

  /** Calls of the small-file client to the NameNode. */
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @AfterEach
  void removeFaults() {
    DFSClientFaultInjector.set(new DFSClientFaultInjector());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 511, 512, 513, 1000, PACKET, PACKET + 1, 3 * PACKET, SmallFiles.MAX_BYTES})
  void fileEqualsOneOfHadoopsClient(int size) throws Exception {
    byte[] content = bytes(size, size);
    Path file = new Path("/small/ä b%41/" + size);
    write("/own/" + size, content);

    Stored stored = files(fs).put(content, PACKET, file, HdfsStoreTestBase::unexpectedFallback);

    FileStatus is = fs.getFileStatus(file);
    FileStatus own = fs.getFileStatus(new Path("/own/" + size));
    assertThat(is.getLen()).isEqualTo(size);
    assertThat(is.getReplication()).isEqualTo(own.getReplication());
    assertThat(is.getBlockSize()).isEqualTo(own.getBlockSize());
    assertThat(is.getPermission()).isEqualTo(own.getPermission());
    assertThat(is.getOwner()).isEqualTo(own.getOwner());
    assertThat(read(file)).isEqualTo(content);
    assertThat(fs.getFileChecksum(file)).isEqualTo(fs.getFileChecksum(new Path("/own/" + size)));
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0);
    assertThat(blocks.isUnderConstruction()).isFalse();
    assertThat(stored.crc32c()).isEqualTo(sum(content));
    assertThat(stored.bytesByHost().keySet()).isSubsetOf("n1", "n2");
    assertThat(stored.bytesByHost().isEmpty()).isEqualTo(size == 0);
    assertThat(stored.fileId())
        .isEqualTo(fs.getClient().getFileInfo(file.toUri().getPath()).getFileId());
    assertThat(stored.bytesByHost().values()).allMatch(bytes -> bytes == size);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 512, 4096, 5000, 1 << 24})
  void fileEqualsOneOfHadoopsClientForAnyPacketSize(int packetBytes) throws Exception {
    byte[] content = bytes(100_001, 1);
    Path file = new Path("/packets/" + packetBytes);

    files(fs).put(content, packetBytes, file, HdfsStoreTestBase::unexpectedFallback);

    assertThat(read(file)).isEqualTo(content);
  }

  @Test
  void fileTakesThreeNameNodeCalls() throws Exception {
    files(fs)
        .put(bytes(1000, 1), PACKET, new Path("/asked"), HdfsStoreTestBase::unexpectedFallback);

    // The last call is repeated while the NameNode does not know the block's replicas.
    assertThat(calls.stream().distinct()).containsExactly("create", "addBlock", "complete");
  }

  @Test
  void existingFileIsReplaced() throws Exception {
    SmallFiles files = files(fs);
    Path file = new Path("/replaced");
    files.put(bytes(1000, 1), PACKET, file, HdfsStoreTestBase::unexpectedFallback);
    files.put(bytes(300, 2), PACKET, file, HdfsStoreTestBase::unexpectedFallback);

    assertThat(read(file)).isEqualTo(bytes(300, 2));
  }

  @ParameterizedTest
  @CsvSource({"1000, 0", SmallFiles.MAX_BYTES + ", 1"})
  void corruptPacketIsSentAgain(int size, int altered) throws Exception {
    AtomicInteger packets = new AtomicInteger();
    DFSClientFaultInjector.set(
        new DFSClientFaultInjector() {
          @Override
          public boolean corruptPacket() {
            return packets.getAndIncrement() == altered;
          }
        });
    java.nio.file.Path source = temp.resolve("source");
    byte[] content = bytes(size, 3);
    Files.write(source, content);

    Stored stored = fresh().put(source, "/altered");

    assertThat(packets).as("the file is sent twice").hasValueGreaterThan(size / PACKET + 2);
    assertThat(read(new Path("/altered"))).isEqualTo(content);
    assertThat(stored.crc32c()).isEqualTo(sum(content));
    assertThat(fs.getClient().getLocatedBlocks("/altered", 0).isUnderConstruction()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 1000", "1, 1000", "0, " + SmallFiles.MAX_BYTES, "1, " + SmallFiles.MAX_BYTES})
  void unreachableDataNodeIsLeftOut(int gone, int size) throws Exception {
    String host = cluster.getDataNodes().get(gone).getDatanodeHostname();
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(gone);
    try {
      java.nio.file.Path source = temp.resolve("source");
      byte[] content = bytes(size, 4);
      Files.write(source, content);

      Stored stored = fresh().put(source, "/left/" + gone);

      assertThat(stored.bytesByHost())
          .hasSize(1)
          .doesNotContainKey(host)
          .containsValue((long) size);
      assertThat(read(new Path("/left/" + gone))).isEqualTo(content);
    } finally {
      restart(stopped);
    }
  }

  @Test
  void smallFileClientIsDisabledAfterRepeatedFailures() throws Exception {
    DFSClientFaultInjector.set(
        new DFSClientFaultInjector() {
          @Override
          public boolean corruptPacket() {
            return true;
          }
        });
    SmallFiles files = files(fs);
    for (int i = 0; i < 3; i++) {
      assertThat(files.put(bytes(1000, 5), PACKET, new Path("/again"), () -> FALLBACK))
          .isEqualTo(FALLBACK);
    }
    assertThat(calls).hasSize(6).doesNotContain("complete");

    assertThat(files.put(bytes(1000, 5), PACKET, new Path("/again"), () -> FALLBACK))
        .isEqualTo(FALLBACK);

    assertThat(calls).as("the small-file client is disabled").hasSize(6);
  }

  @Test
  void largeFileDoesNotDisableTheClient() throws Exception {
    SmallFiles files = files(fs);

    Stored stored = files.put(bytes(BLOCK + 1, 9), PACKET, new Path("/blocks"), () -> FALLBACK);
    assertThat(stored).isEqualTo(FALLBACK);

    assertThat(calls).containsExactly("create");
    assertThat(
            files.put(
                bytes(10, 9), PACKET, new Path("/block"), HdfsStoreTestBase::unexpectedFallback))
        .isNotEqualTo(FALLBACK);
  }

  @Test
  void failureOfBothClientsDoesNotDisableTheClient() throws Exception {
    fs.mkdirs(new Path("/full"));
    fs.setQuota(new Path("/full"), HdfsConstants.QUOTA_DONT_SET, 1);
    SmallFiles files = files(fs);
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(
              () ->
                  files.put(
                      bytes(1000, 6),
                      PACKET,
                      new Path("/full/file"),
                      () -> {
                        throw new IOException("as full as before");
                      }))
          .hasMessage("as full as before")
          .satisfies(problem -> assertThat(problem.getSuppressed()).hasSize(1));
    }
    calls.clear();

    files.put(
        bytes(1000, 6), PACKET, new Path("/elsewhere"), HdfsStoreTestBase::unexpectedFallback);

    assertThat(calls).contains("complete");
  }

  @Test
  void erasureCodedFilesUseHadoopsClient() throws Exception {
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.mkdirs(new Path("/coded"));
    fs.setErasureCodingPolicy(new Path("/coded"), "XOR-2-1-1024k");
    SmallFiles files = files(fs);

    for (int i = 0; i < 2; i++) {
      assertThat(files.put(bytes(1000, 7), PACKET, new Path("/coded/file"), () -> FALLBACK))
          .isEqualTo(FALLBACK);
    }

    assertThat(calls).as("tried once").containsExactly("create");
  }

  @Test
  void pinnedBlocksUseHadoopsClient() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
    try (FileSystem pinning = FileSystem.newInstance(fs.getUri(), conf)) {
      Stored stored =
          files((DistributedFileSystem) pinning)
              .put(bytes(1000, 8), PACKET, new Path("/pinned"), () -> FALLBACK);

      assertThat(stored).isEqualTo(FALLBACK);
      assertThat(calls).isEmpty();
    }
  }

  private SmallFiles files(DistributedFileSystem fileSystem) throws IOException {
    return new SmallFiles(
        fileSystem,
        new KnownBlocksClient(
            ObservedNameNode.of(fileSystem.getClient().getNamenode(), this::recordCall),
            fileSystem.getConf()));
  }

  private void recordCall(String call) {
    // Called once for all files, to learn whether data transfers are encrypted.
    if (!call.equals("getServerDefaults")) {
      calls.add(call);
    }
  }

  /** Returns a store without earlier failures, which would disable its small-file client. */
  private static HdfsDataStore fresh() throws IOException {
    return new HdfsDataStore(fs, "n1", TestTools.AT_ONCE);
  }

  private static byte[] read(Path file) throws IOException {
    try (var in = fs.open(file)) {
      return in.readAllBytes();
    }
  }
}
