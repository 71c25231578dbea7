package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.transfer.DirectoryStore;
import dev.weir.workflow.transfer.StageIn;
import dev.weir.workflow.transfer.Transfers;
import dev.weir.workflow.worker.TaskOrders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another task alters a cached content just when a task takes it. */
class StageInAlteredContentTest {

  private static final FileSlot INPUT = new FileSlot("a", "/data/a", 4, FileSlot.Kind.SHARED, 0);
  private static final TaskOrder LINKED =
      TaskOrders.shell("linked", List.of(INPUT), List.of(), "true");
  private static final TaskOrder COPIED =
      TaskOrders.shell("copied", List.of(INPUT.asCopy()), List.of(), "true");

  @TempDir private Path temp;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final Transfers transfers = new Transfers(pool, pool, pool, 64 << 20);
  private DirectoryStore store;

  /** The sandbox of a task that already has the content. */
  private Sandbox first;

  private Sandbox second;
  private volatile Hook onUse = () -> {};

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    store.write("/data/a", "1234");
    first = Sandbox.create(temp.resolve("sandboxes"), "first");
    second = Sandbox.create(temp.resolve("sandboxes"), "second");
  }

  @AfterEach
  void close() {
    pool.shutdownNow();
    first.close();
    second.close();
  }

  /** Returns a cache that copies contents up to this size for each task and links larger ones. */
  private NodeCache cache(long copiedBytes) throws IOException {
    return new NodeCache(
        CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(1 << 20)),
        ((InstantSource) this::whenLookedAt).withZone(ZoneOffset.UTC),
        copiedBytes);
  }

  private StageIn stageIn(NodeCache cache) {
    return new StageIn(new CachingStore(store, cache), transfers);
  }

  /** Sets a hook for the next use, which is called after the cache has verified the content. */
  private void onNextUse(Hook hook) {
    onUse =
        () -> {
          onUse = () -> {};
          hook.happen();
        };
  }

  private void alterTheFirst() throws IOException {
    assertThat(first.file("a").toFile().setWritable(true)).isTrue();
    Files.writeString(first.file("a"), "5678");
  }

  @Test
  void contentAlteredAfterItWasTakenIsNotCopied() throws Exception {
    try (NodeCache cache = cache(0)) {
      stageIn(cache).run(LINKED, first);
      onNextUse(this::alterTheFirst);

      stageIn(cache).run(COPIED, second);

      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(second.temp()).isEmptyDirectory();
    }
  }

  @Test
  void contentAlteredBeforeItIsRecordedIsFetchedAgain() throws Exception {
    try (NodeCache cache = cache(0)) {
      stageIn(cache).run(LINKED, first);
      onNextUse(this::alterTheFirst);

      List<ReadFile> read = stageIn(cache).run(LINKED, second).read();

      CRC32C crc = new CRC32C();
      crc.update(Files.readAllBytes(second.file("a")));
      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(read).containsExactly(new ReadFile("a", 4, Checksum.of(crc)));
    }
  }

  @Test
  void copyReplacingAnAlteredContentIsTheCommandsOwn() throws Exception {
    try (NodeCache cache = cache(3)) {
      stageIn(cache).run(LINKED, first);
      onNextUse(
          () -> {
            alterTheFirst();
            store.write("/data/a", "12");
          });

      stageIn(cache).run(LINKED, second);

      assertThat(second.file("a")).hasContent("12");
      assertThat(second.held()).doesNotExist();
    }
  }

  /** Called when the cache records the use of a content. */
  private interface Hook {
    void happen() throws IOException;
  }

  private Instant whenLookedAt() {
    try {
      onUse.happen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Instant.now();
  }
}
