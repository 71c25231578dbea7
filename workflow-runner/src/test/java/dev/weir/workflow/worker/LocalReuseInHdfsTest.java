package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.cache.CacheDirectory;
import dev.weir.workflow.cache.CacheLimit;
import dev.weir.workflow.cache.CachingStore;
import dev.weir.workflow.cache.NodeCache;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.store.HdfsStoreTestBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs a chain of tasks on one node with a real HDFS. */
class LocalReuseInHdfsTest extends HdfsStoreTestBase {

  private static final int BYTES = 3 * BLOCK + 17;

  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final ResourceGate gate = new ResourceGate(1, 1L << 30);
  private NodeCache cache;
  private TaskRunner runner;

  @BeforeEach
  void open() throws IOException {
    cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(100L << 20)),
            Clock.systemUTC(),
            NodeCache.COPIED_BYTES);
    Files.createDirectory(temp.resolve("logs"));
    runner =
        new TaskRunner(
            new CachingStore(store, cache), TestTools.places(temp), TestTools.of(pool, shells));
  }

  @AfterEach
  void close() throws IOException {
    pool.shutdownNow();
    shells.close();
    guard.close();
    cache.close();
  }

  private static FileSlot slot(String name) {
    return new FileSlot(name, "/line/" + name, 0, Kind.HANDED, 0);
  }

  private TaskReport run(List<FileSlot> inputs, List<FileSlot> outputs, String script)
      throws InterruptedException {
    TaskOrder order = TaskOrders.shell("task", inputs, outputs, script);
    TaskReport report = runner.run(order, gate.ticket(order.needs()));
    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    return report;
  }

  /** Keeps the file in the NameNode but destroys its blocks, so that it is unreadable. */
  private static void destroyBlocks(String path) throws IOException {
    for (LocatedBlock block : locations(path).toList()) {
      for (int node = 0; node < 2; node++) {
        File replica = cluster.getBlockFile(node, block.getBlock());
        assertThat(replica == null || replica.delete()).isTrue();
      }
    }
  }

  @Test
  void tasksOfAChainReadNothingFromHdfs() throws Exception {
    TaskReport last = run(List.of(), List.of(slot("0")), "head -c " + BYTES + " /dev/urandom > 0");
    for (int i = 1; i < 4; i++) {
      destroyBlocks("/line/" + (i - 1));
      long sum = last.outputs().get(0).crc32c();

      last = run(List.of(slot("" + (i - 1))), List.of(slot("" + i)), "cat " + (i - 1) + " > " + i);

      assertThat(last.usage().inputBytesCached()).isEqualTo(BYTES);
      assertThat(last.usage().inputBytesLocal() + last.usage().inputBytesRemote()).isZero();
      assertThat(last.inputs().get(0).crc32c()).isEqualTo(sum);
      assertThat(last.outputs().get(0).crc32c()).isEqualTo(sum);
      assertThat(fs.getFileStatus(new Path("/line/" + i)).getLen()).isEqualTo(BYTES);
    }
  }
}
