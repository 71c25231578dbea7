package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.worker.TestTools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DataNodes that hang or answer wrongly while small files are read in batches. */
class SmallBlocksFaultsTest extends HdfsStoreTestBase {

  private static final int[] SIZES = {300, 1_200, 70};

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ServerSocket server;
  private List<LocatedBlock> blocks;
  private DatanodeInfo real;

  /** The test's server, which is not a DataNode. */
  private DatanodeInfo node;

  private KnownBlocksClient client;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    blocks = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      String path = "/trouble/" + i;
      write(path, bytes(SIZES[i], i));
      blocks.addAll(locations(path).toList());
    }
    real = blocks.get(0).getLocations()[0];
    node = new DatanodeInfoBuilder().setFrom(real).setXferPort(server.getLocalPort()).build();
    client = client(0);
  }

  @AfterEach
  void close() throws IOException {
    threads.shutdownNow();
    server.close();
  }

  /** Returns a client with a short timeout and this many connections. */
  private static KnownBlocksClient client(int connections) throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("dfs.client.context", "trouble with " + connections);
    conf.setInt("dfs.client.socketcache.capacity", connections);
    conf.setInt("dfs.client.socket-timeout", 1_000);
    return new KnownBlocksClient(fs.getClient().getNamenode(), conf);
  }

  /** Returns the bytes that a DataNode answers. */
  private byte[] answers(List<LocatedBlock> to) throws Exception {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    Future<?> done =
        threads.submit(
            () -> {
              try (Socket reader = server.accept();
                  Socket dataNode = new Socket(real.getIpAddr(), real.getXferPort())) {
                var unused =
                    threads.submit(
                        () -> reader.getInputStream().transferTo(dataNode.getOutputStream()));
                InputStream in = dataNode.getInputStream();
                byte[] buffer = new byte[4_096];
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                  heard.write(buffer, 0, length);
                  reader.getOutputStream().write(buffer, 0, length);
                }
                return null;
              }
            });
    assertThat(new SmallBlocks(client).read(node, to).contents()).hasSize(to.size());
    done.cancel(true);
    return heard.toByteArray();
  }

  /** Sends the bytes to one reader, and then hangs or closes the connection. */
  private void answer(byte[] answers, boolean hangs) {
    var unused =
        threads.submit(
            () -> {
              try (Socket reader = server.accept()) {
                OutputStream out = reader.getOutputStream();
                out.write(answers);
                if (!hangs) {
                  reader.shutdownOutput();
                }
                return reader.getInputStream().transferTo(OutputStream.nullOutputStream());
              }
            });
  }

  private SmallBlocks.Read read(byte[] answers) throws IOException {
    answer(answers, false);
    SmallBlocks.Read read = new SmallBlocks(client).read(node, blocks);
    for (int i = 0; i < read.contents().size(); i++) {
      assertThat(read.contents().get(i)).as("block %d", i).isEqualTo(bytes(SIZES[i], i));
    }
    return read;
  }

  @Test
  void truncatedBlockIsRejected() throws Exception {
    byte[] answers = answers(blocks);
    assertThat(read(answers).contents()).hasSize(SIZES.length);
    int first = answers(blocks.subList(0, 1)).length;

    for (int length = 0; length < answers.length; length += 23) {
      SmallBlocks.Read read = read(Arrays.copyOf(answers, length));

      assertThat(read.contents().size()).isLessThan(SIZES.length);
      assertThat(read.contents().isEmpty()).isEqualTo(length < first);
      assertThat(read.silent()).isFalse();
    }
  }

  @Test
  void blockAlteredInTransitIsRejected() throws Exception {
    byte[] answers = answers(blocks);
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] altered = answers.clone();
      altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));

      SmallBlocks.Read read = read(altered);

      assertThat(read.contents())
          .as("blocks that were read are unaltered")
          .hasSizeLessThanOrEqualTo(3);
    }
  }

  @Test
  void hangingNodeIsTriedOnce() throws Exception {
    KnownBlocksClient keeping = client(4);
    keeping
        .getClientContext()
        .getPeerCache()
        .put(
            node,
            keeping.newConnectedPeer(
                NetUtils.createSocketAddr(node.getXferAddr()),
                blocks.get(0).getBlockToken(),
                node));

    SmallBlocks.Read read = new SmallBlocks(keeping).read(node, blocks);

    assertThat(read.contents()).isEmpty();
    assertThat(read.silent()).isTrue();
    server.accept().close();
    server.setSoTimeout(1);
    assertThatThrownBy(() -> server.accept().close()).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void nodeThatHangsDiffersFromOneThatCloses() throws Exception {
    answer(answers(blocks.subList(0, 1)), true);

    SmallBlocks.Read read = new SmallBlocks(client).read(node, blocks);

    assertThat(read.contents()).containsExactly(bytes(SIZES[0], 0));
    assertThat(read.silent()).isTrue();
  }

  @Test
  void nodeThatHangsDuringABatchIsNotTriedAgain() throws Exception {
    List<String> paths = List.of("/trouble/0", "/trouble/1", "/trouble/2");
    paths.forEach(HdfsStoreTestBase::awaitReplicas);
    HdfsDataStore hasty = new HdfsDataStore(fs, "n1", client, TestTools.AT_ONCE);
    Map<String, Source> found = hasty.find(slots(paths));
    List<Source> sources = paths.stream().map(path -> requireNonNull(found.get(path))).toList();
    String first = sources.get(0).batchKey();
    CountDownLatch goOn = new CountDownLatch(1);
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(new Hanging(goOn));
    try {
      hasty.readBatch(sources);

      assertThat(sources.get(0).batchKey()).as("the first block was read").isEqualTo(first);
      assertThat(sources.subList(1, 3)).extracting(Source::batchKey).doesNotContain(first);
      java.nio.file.Path target = temp.resolve("target");
      assertThat(sources.get(1).fetch(target).remoteBytes()).isEqualTo(SIZES[1]);
      assertThat(target).hasBinaryContent(bytes(SIZES[1], 1));
    } finally {
      goOn.countDown();
      DataNodeFaultInjector.set(before);
    }
  }

  /** Makes a DataNode hang when it is asked for a second block. */
  private static final class Hanging extends DataNodeFaultInjector {

    private final CountDownLatch goOn;
    private final AtomicInteger reads = new AtomicInteger();

    Hanging(CountDownLatch goOn) {
      this.goOn = goOn;
    }

    /** Called before a block is opened. */
    @Override
    public void throwTooManyOpenFiles() {
      if (reads.incrementAndGet() == 2) {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
