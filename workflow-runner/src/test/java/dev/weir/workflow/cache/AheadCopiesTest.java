package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AheadCopiesTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int MEBI = 1 << 20;

  @TempDir private Path temp;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private DirectoryStore store;
  private NodeCache cache;
  private CachingStore caching;
  private AheadCopies copies;

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(8 * MEBI)),
            Clock.systemUTC(),
            0);
    caching = new CachingStore(store, cache);
    CacheReporter reporter = new CacheReporter(cache, CacheReporter.MOST);
    reporter.connect(sent::add);
    copies =
        new AheadCopies(
            new AheadCopies.Places(slot -> AheadCopies.found(store, slot), cache, reporter),
            thread,
            sent::add);
  }

  @AfterEach
  void close() throws IOException {
    thread.shutdownNow();
    cache.close();
  }

  private void write(String path, int mebi) throws IOException {
    store.write(path, "x".repeat(mebi * MEBI));
  }

  private void copy(long number, String path) {
    assertThat(copies.handle(new Message.CopyAhead(number, path, "n2"))).isTrue();
  }

  private void awaitSent(Message message) {
    await().untilAsserted(() -> assertThat(sent).contains(message));
  }

  private Fetched bring(String path) throws IOException {
    FileSlot slot = NodeCacheTestBase.shared(path);
    Source source = requireNonNull(caching.find(List.of(slot)).get(path));
    return source.fetch(temp.resolve("target"));
  }

  @Test
  void copiedContentIsCachedForTheTask() throws Exception {
    write("/a", 2);

    copy(1, "/a");

    awaitSent(new Message.CopyEnded(1, 2 * MEBI, true));
    assertThat(sent).startsWith(new Message.CacheNews(Map.of("/a", 2L * MEBI), List.of()));
    assertThat(bring("/a").cachedBytes()).isEqualTo(2 * MEBI);
    assertThat(store.fetches()).isEqualTo(1);
  }

  @Test
  void copiesOrderedByAnEarlierMasterAreNotReported() throws Exception {
    write("/a", 2);
    write("/b", 2);
    write("/c", 2);
    CountDownLatch busy = new CountDownLatch(1);
    thread.execute(
        () -> {
          try {
            busy.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    copy(1, "/a");
    copy(2, "/c");

    copies.forgetOrders();
    copy(1, "/b");
    busy.countDown();
    copy(3, "/b");

    awaitSent(new Message.CopyEnded(3, 0, true));
    assertThat(sent)
        .containsExactly(
            new Message.CacheNews(Map.of("/b", 2L * MEBI), List.of()),
            new Message.CopyEnded(1, 2 * MEBI, true),
            new Message.CopyEnded(3, 0, true));
  }

  @Test
  void contentCachedBeforeIsNoCopy() throws Exception {
    write("/a", 2);
    bring("/a");

    copy(1, "/a");

    awaitSent(new Message.CopyEnded(1, 0, true));
    assertThat(sent).startsWith(new Message.CacheNews(Map.of("/a", 2L * MEBI), List.of()));
    Files.delete(temp.resolve("target"));
    copies.handle(new Message.CopyDrop("/a"));
    assertThat(bring("/a").cachedBytes())
        .as("content cached by a task is not dropped")
        .isEqualTo(2 * MEBI);
  }

  @Test
  void copyEvictsNothingAndLeavesAQuarterFree() throws Exception {
    write("/used", 4);
    write("/a", 3);
    bring("/used");

    copy(1, "/a");

    awaitSent(new Message.CopyEnded(1, 0, false));
    Files.delete(temp.resolve("target"));
    assertThat(bring("/used").cachedBytes()).isEqualTo(4 * MEBI);
    write("/b", 2);
    copy(2, "/b");
    awaitSent(new Message.CopyEnded(2, 2 * MEBI, true));
  }

  @Test
  void copyOfAMissingFileIsNoFailure() {
    copy(1, "/gone");

    awaitSent(new Message.CopyEnded(1, 0, true));
  }

  @Test
  void onlyUnreadCopiesAreDropped() throws Exception {
    write("/a", 2);
    write("/b", 2);
    copy(1, "/a");
    copy(2, "/b");
    awaitSent(new Message.CopyEnded(2, 2 * MEBI, true));
    bring("/a");

    copies.handle(new Message.CopyDrop("/a"));
    copies.handle(new Message.CopyDrop("/b"));
    copies.handle(new Message.CopyDrop("/c"));

    Files.delete(temp.resolve("target"));
    assertThat(bring("/a").cachedBytes()).isEqualTo(2 * MEBI);
    Files.delete(temp.resolve("target"));
    assertThat(bring("/b").cachedBytes()).isZero();
  }

  @Test
  void pausedCopyBlocksNoOtherContent() throws Exception {
    write("/a", 2);
    write("/b", 2);
    chooseTime("/b", lock -> lock != lock("/a"));
    startPausedCopy(1, "/a");

    assertThat(bringWithinDeadline("/b").localBytes()).isEqualTo(2 * MEBI);
    assertThat(sent).noneMatch(message -> message instanceof Message.CopyEnded);

    copies.handle(new Message.CopyPace(1, false));
    awaitSent(new Message.CopyEnded(1, 2 * MEBI, true));
  }

  @Test
  void pausedCopyResumesForATaskThatReadsTheFile() throws Exception {
    write("/a", 2);
    startPausedCopy(1, "/a");

    assertThat(bringWithinDeadline("/a").cachedBytes()).isEqualTo(2 * MEBI);

    awaitSent(new Message.CopyEnded(1, 2 * MEBI, true));
    assertThat(store.fetches()).isEqualTo(1);
  }

  @Test
  void pausedCopyResumesForATaskWithTheSameLock() throws Exception {
    write("/a", 2);
    write("/b", 2);
    chooseTime("/b", lock -> lock == lock("/a"));
    startPausedCopy(1, "/a");

    assertThat(bringWithinDeadline("/b").localBytes()).isEqualTo(2 * MEBI);

    awaitSent(new Message.CopyEnded(1, 2 * MEBI, true));
  }

  /** Starts a copy that is paused before its first byte. */
  private void startPausedCopy(long number, String path) throws InterruptedException {
    CountDownLatch paused = new CountDownLatch(1);
    store.beforeFetch(
        target -> {
          copies.handle(new Message.CopyPace(number, true));
          paused.countDown();
        });
    copy(number, path);
    assertThat(paused.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private Fetched bringWithinDeadline(String path) {
    return assertTimeoutPreemptively(LONG, () -> bring(path));
  }

  /** Sets a modification time with which the lock of the content meets the condition. */
  private void chooseTime(String path, LockCondition wanted) throws IOException {
    long millis = 1_700_000_000_000L;
    do {
      Files.setLastModifiedTime(store.file(path), FileTime.fromMillis(millis++));
    } while (!wanted.has(lock(path)));
  }

  private interface LockCondition {
    boolean has(int lock) throws IOException;
  }

  private int lock(String path) throws IOException {
    FileSlot slot = new FileSlot(path, path, 0, FileSlot.Kind.SHARED, 0);
    Source source = requireNonNull(store.find(List.of(slot)).get(path));
    return CacheKey.of(path, source.version().orElseThrow()).lock();
  }

  @Test
  void otherMessagesAreNotHandled() {
    assertThat(copies.handle(new Message.Shutdown())).isFalse();
    assertThat(copies.handle(new Message.CopyPace(7, true))).as("a copy that has ended").isTrue();
  }
}
