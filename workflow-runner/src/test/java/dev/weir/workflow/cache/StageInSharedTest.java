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

/** What a task gets of a content of the cache that another alters just when it is taken. */
class StageInSharedTest {

  private static final FileSlot INPUT = new FileSlot("a", "/data/a", 4, FileSlot.Kind.SHARED, 0);
  private static final TaskOrder LINKED =
      TaskOrders.shell("linked", List.of(INPUT), List.of(), "true");
  private static final TaskOrder COPIED =
      TaskOrders.shell("copied", List.of(INPUT.asCopy()), List.of(), "true");

  @TempDir private Path temp;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final Transfers transfers = new Transfers(pool, pool, pool, 64 << 20);
  private DirectoryStore store;

  /** The sandbox of a task that has had the content before. */
  private Sandbox first;

  private Sandbox second;
  private volatile Happening whenUsed = () -> {};

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

  /** A cache of which up to that size a task gets a copy of its own, and else a link. */
  private NodeCache cache(long copiedBytes) throws IOException {
    return new NodeCache(
        CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(1 << 20)),
        ((InstantSource) this::whenLookedAt).withZone(ZoneOffset.UTC),
        copiedBytes);
  }

  private StageIn stageIn(NodeCache cache) {
    return new StageIn(new CachingStore(store, cache), transfers);
  }

  /** Once, when the cache has looked whether a content is whole and notes that it was used. */
  private void whenUsedNext(Happening happening) {
    whenUsed =
        () -> {
          whenUsed = () -> {};
          happening.happen();
        };
  }

  private void alterTheFirst() throws IOException {
    assertThat(first.file("a").toFile().setWritable(true)).isTrue();
    Files.writeString(first.file("a"), "5678");
  }

  @Test
  void nothingIsCopiedThatAnotherHasAlteredSinceItWasTakenFromTheCache() throws Exception {
    try (NodeCache cache = cache(0)) {
      stageIn(cache).run(LINKED, first);
      whenUsedNext(this::alterTheFirst);

      stageIn(cache).run(COPIED, second);

      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(second.temp()).isEmptyDirectory();
    }
  }

  @Test
  void whatIsAlteredBeforeItIsSealedIsFetchedAnew() throws Exception {
    try (NodeCache cache = cache(0)) {
      stageIn(cache).run(LINKED, first);
      whenUsedNext(this::alterTheFirst);

      List<ReadFile> read = stageIn(cache).run(LINKED, second).read();

      CRC32C crc = new CRC32C();
      crc.update(Files.readAllBytes(second.file("a")));
      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(read).containsExactly(new ReadFile("a", 4, Checksum.of(crc)));
    }
  }

  @Test
  void nothingIsHeldOfAContentInWhosePlaceCameOneThatIsTheCommandsOwn() throws Exception {
    try (NodeCache cache = cache(3)) {
      stageIn(cache).run(LINKED, first);
      whenUsedNext(
          () -> {
            alterTheFirst();
            store.write("/data/a", "12");
          });

      stageIn(cache).run(LINKED, second);

      assertThat(second.file("a")).hasContent("12");
      assertThat(second.held()).doesNotExist();
    }
  }

  /** What happens when the cache notes that a content is used. */
  private interface Happening {
    void happen() throws IOException;
  }

  private Instant whenLookedAt() {
    try {
      whenUsed.happen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Instant.now();
  }
}
