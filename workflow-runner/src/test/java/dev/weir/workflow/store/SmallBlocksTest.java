package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.InputLostException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Reads small files in batches from an HDFS of two nodes. */
class SmallBlocksTest extends HdfsStoreTestBase {

  private static final int[] SIZES = {1, 511, 512, 513, 70, 4_711, SmallBlocks.MAX_BYTES, 300};

  /** Writes files of all sizes with replicas on both nodes. */
  private static List<String> write(String directory) throws IOException {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      String path = directory + "/" + i;
      write(path, bytes(SIZES[i], i));
      awaitReplicas(path);
      paths.add(path);
    }
    return paths;
  }

  private static List<LocatedBlock> blocks(List<String> paths) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (String path : paths) {
      blocks.addAll(locations(path).toList());
    }
    return blocks;
  }

  private static DatanodeInfo node(String host, List<LocatedBlock> of) {
    return Arrays.stream(of.get(0).getLocations())
        .filter(node -> node.getHostName().equals(host))
        .findAny()
        .orElseThrow();
  }

  /** A restarted node comes last. */
  private static int index(String host) {
    int index = 0;
    while (!cluster.getDataNodes().get(index).getDatanodeHostname().equals(host)) {
      index++;
    }
    return index;
  }

  private static List<byte[]> read(String host, List<LocatedBlock> blocks) {
    return new SmallBlocks(fs.getClient()).read(node(host, blocks), blocks).contents();
  }

  private static void assertFirst(int count, List<byte[]> contents) {
    assertThat(contents).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(contents.get(i)).isEqualTo(bytes(SIZES[i], i));
    }
  }

  @Test
  void blocksAreReadAsWritten() throws Exception {
    List<LocatedBlock> blocks = blocks(write("/written"));

    for (String host : List.of("n1", "n2", "n2")) {
      assertFirst(SIZES.length, read(host, blocks));
    }
  }

  @Test
  void blocksBeforeAMissingOneAreRead() throws Exception {
    List<LocatedBlock> blocks = blocks(write("/gone"));
    ExtendedBlock third = blocks.get(2).getBlock();
    third.setGenerationStamp(third.getGenerationStamp() + 1);

    assertFirst(2, read("n2", blocks));
    assertFirst(0, read("n2", blocks.subList(2, 4)));
  }

  @Test
  void connectionClosedByTheDataNodeIsReopened() throws Exception {
    List<String> paths = write("/closed");
    assertFirst(SIZES.length, read("n2", blocks(paths)));

    DataNodeProperties stopped = cluster.stopDataNode(index("n2"));
    restart(stopped);
    paths.forEach(HdfsStoreTestBase::awaitReplicas);

    assertFirst(SIZES.length, read("n2", blocks(paths)));
  }

  @Test
  void unreachableNodeReturnsNothing() throws Exception {
    List<LocatedBlock> blocks = blocks(write("/away"));
    DataNodeProperties stopped = cluster.stopDataNode(index("n2"));
    try {
      assertFirst(0, read("n2", blocks));
    } finally {
      restart(stopped);
    }
  }

  private List<Source> sources(List<String> paths) throws IOException {
    Map<String, Source> found = store.find(slots(paths));
    return paths.stream().map(path -> requireNonNull(found.get(path))).toList();
  }

  private Fetched fetch(Source source, byte[] content) throws IOException {
    java.nio.file.Path target =
        temp.resolve(source.path().replace('/', '-') + "-" + System.nanoTime());
    Fetched fetched = source.fetch(target);
    assertThat(target).hasBinaryContent(content);
    assertThat(fetched.crc32c()).isEqualTo(sum(content));
    return fetched;
  }

  @Test
  void batchedContentIsFetchedOnceFromMemory() throws Exception {
    List<String> paths = write("/together");
    List<Source> sources = sources(paths);
    assertThat(sources.stream().map(Source::batchKey).distinct())
        .as("n1 reads its own replicas")
        .containsExactly(node("n1", blocks(paths)).getDatanodeUuid());

    store.readBatch(sources);
    fs.delete(new Path("/together"), true);

    for (int i = 0; i < SIZES.length; i++) {
      Fetched fetched = fetch(sources.get(i), bytes(SIZES[i], i));
      assertThat(fetched.localBytes()).isEqualTo(SIZES[i]);
      assertThat(fetched.bytes()).isEqualTo(SIZES[i]);
    }
    await("the DataNode has deleted its replicas")
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> sources.get(0).fetch(temp.resolve("again")))
                    .isInstanceOf(InputLostException.class));
    assertThat(temp.resolve("again")).doesNotExist();
  }

  @Test
  void silentNodeIsNotTriedAgain() throws Exception {
    List<String> paths = write("/silent");
    List<Source> sources = sources(paths);
    String other = node("n2", blocks(paths)).getDatanodeUuid();
    DataNodeProperties stopped = cluster.stopDataNode(index("n1"));
    try {
      store.readBatch(sources);

      assertThat(sources).extracting(Source::batchKey).containsOnly(other);
      assertThat(fetch(sources.get(0), bytes(SIZES[0], 0)).remoteBytes()).isEqualTo(SIZES[0]);
    } finally {
      restart(stopped);
    }
  }

  @Test
  void corruptReplicaIsReadFromAnotherNode() throws Exception {
    List<String> paths = write("/altered");
    List<Source> sources = sources(paths);
    cluster.corruptReplica(index("n1"), blocks(paths).get(1).getBlock());
    assertFirst(1, read("n1", blocks(paths)));

    store.readBatch(sources);

    assertThat(fetch(sources.get(0), bytes(SIZES[0], 0)).localBytes()).isEqualTo(SIZES[0]);
    assertThat(fetch(sources.get(1), bytes(SIZES[1], 1)).remoteBytes()).isEqualTo(SIZES[1]);
    assertThat(fetch(sources.get(2), bytes(SIZES[2], 2)).localBytes()).isEqualTo(SIZES[2]);
  }

  @Test
  void blocksAreReadSinglyAfterACorruptFirstReplica() throws Exception {
    List<String> paths = write("/first");
    List<Source> sources = sources(paths);
    cluster.corruptReplica(index("n1"), blocks(paths).get(0).getBlock());
    assertFirst(0, read("n1", blocks(paths)));

    store.readBatch(sources);

    assertThat(fetch(sources.get(1), bytes(SIZES[1], 1)).localBytes()).isEqualTo(SIZES[1]);
    assertThat(fetch(sources.get(0), bytes(SIZES[0], 0)).remoteBytes()).isEqualTo(SIZES[0]);
  }

  @Test
  void onlySmallFilesAreReadInBatches() throws Exception {
    write("/others/empty", new byte[0]);
    write("/others/more", bytes(SmallBlocks.MAX_BYTES + 1, 1));
    write("/others/tiny", bytes(1, 1));

    List<Source> sources = sources(List.of("/others/empty", "/others/more", "/others/tiny"));

    assertThat(sources.stream().map(source -> source.batchKey().isEmpty()))
        .containsExactly(true, true, false);
  }
}
