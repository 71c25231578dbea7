package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.worker.DataStore.Fetched;
import dev.weir.workflow.worker.DataStore.Source;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCacheTest {

  private static final long LIMIT = 1000;
  private static final String TEN = "0123456789";

  @TempDir private Path temp;
  private final AtomicLong now = new AtomicLong(1_000_000);
  private DirectoryStore store;
  private NodeCache cache;
  private CachingStore caching;
  private int targets;

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    cache =
        new NodeCache(
            CacheSpace.open(temp.resolve("cache"), CacheRoom.of(LIMIT)), new TestClock(), 0);
    caching = new CachingStore(store, cache);
  }

  @AfterEach
  void close() throws IOException {
    cache.close();
  }

  /** Later at each look. */
  private final class TestClock extends Clock {

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now.addAndGet(1000));
    }
  }

  private static FileSlot shared(String path) {
    return new FileSlot(path.substring(1), path, 0, FileSlot.Kind.SHARED, 0);
  }

  private Source find(String path) throws IOException {
    return requireNonNull(caching.find(List.of(shared(path))).get(path));
  }

  private Path target() {
    targets++;
    return temp.resolve("target-" + targets);
  }

  private Fetched bring(String path) throws IOException {
    Path target = target();
    Fetched fetched = find(path).fetch(target);
    assertThat(target).hasContent(store.read(path));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("r--r--r--");
    Files.delete(target);
    return fetched;
  }

  private long held() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("cache/contents"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aSecondTaskIsGivenWhatTheFirstFetched() throws Exception {
    store.write("/a", TEN);

    Fetched first = bring("/a");
    Fetched second = bring("/a");

    assertThat(first.localBytes()).isEqualTo(10);
    assertThat(first.cachedBytes()).isZero();
    assertThat(second).isEqualTo(Fetched.cached(10, first.crc32c()));
    assertThat(store.fetches()).isEqualTo(1);
  }

  @Test
  void aFileOfOneTaskIsNotKept() throws Exception {
    store.write("/a", TEN);
    FileSlot own = new FileSlot("a", "/a", 0);

    requireNonNull(caching.find(List.of(own)).get("/a")).fetch(target());

    assertThat(held()).isZero();
  }

  @Test
  void changedContentIsFetchedAnew() throws Exception {
    store.write("/a", TEN);
    bring("/a");

    store.write("/a", "abcdefghij");
    Files.setLastModifiedTime(store.file("/a"), FileTime.fromMillis(77_000));
    Fetched sameLength = bring("/a");
    Files.delete(store.file("/a"));
    store.write("/other", "occupies the place on the disk");
    store.write("/a", "ABCDEFGHIJ");
    Files.setLastModifiedTime(store.file("/a"), FileTime.fromMillis(77_000));
    Fetched sameTime = bring("/a");

    assertThat(sameLength.cachedBytes()).isZero();
    assertThat(sameTime.cachedBytes()).isZero();
  }

  @Test
  void whatIsReplacedBetweenQuestionAndFetchIsNotKeptUnderTheOldName() throws Exception {
    store.write("/a", TEN);
    Source old = find("/a");
    store.write("/a", TEN + TEN);

    assertThatThrownBy(() -> old.fetch(target())).isInstanceOf(ContentChangedException.class);

    assertThat(held()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(20);
  }

  @Test
  void whatHasNotBeenUsedForLongestGoesFirstAndTheLimitHolds() throws Exception {
    for (int i = 0; i < 10; i++) {
      store.write("/f" + i, "x".repeat(100));
      bring("/f" + i);
      assertThat(held()).isLessThanOrEqualTo(LIMIT);
    }
    assertThat(bring("/f0").cachedBytes()).isEqualTo(100);

    store.write("/new", "y".repeat(100));
    bring("/new");

    assertThat(held()).isLessThanOrEqualTo(LIMIT);
    assertThat(bring("/new").cachedBytes()).isEqualTo(100);
    assertThat(bring("/f0").cachedBytes()).as("used lately").isEqualTo(100);
    assertThat(bring("/f1").cachedBytes()).as("not used since").isZero();
  }

  @Test
  void whatDoesNotFitIsFetchedPastTheCacheAndDropsNothing() throws Exception {
    store.write("/small", TEN);
    bring("/small");
    store.write("/large", "x".repeat(1001));

    assertThat(bring("/large").localBytes()).isEqualTo(1001);
    assertThat(bring("/large").localBytes()).isEqualTo(1001);

    assertThat(bring("/small").cachedBytes()).isEqualTo(10);
  }

  @Test
  void whatASandboxHoldsIsNotDropped() throws Exception {
    store.write("/used", "x".repeat(900));
    Path inUse = target();
    find("/used").fetch(inUse);
    store.write("/next", "y".repeat(900));

    assertThat(bring("/next").localBytes()).isEqualTo(900);

    assertThat(held()).isEqualTo(900);
    assertThat(bring("/used").cachedBytes()).isEqualTo(900);
    Files.delete(inUse);
    bring("/next");
    assertThat(bring("/next").cachedBytes()).isEqualTo(900);
  }

  @Test
  void aSmallContentIsCopiedAndTheTasksOwn() throws Exception {
    NodeCache copying =
        new NodeCache(
            CacheSpace.open(temp.resolve("cache"), CacheRoom.of(LIMIT)), new TestClock(), 10);
    caching = new CachingStore(store, copying);
    store.write("/a", TEN);
    Path first = target();
    find("/a").fetch(first);
    Path second = target();
    assertThat(find("/a").fetch(second).cachedBytes()).isEqualTo(10);

    assertThat(Files.getAttribute(first, "unix:nlink")).isEqualTo(1);
    assertThat(Files.getAttribute(second, "unix:nlink")).isEqualTo(1);
    assertThat(second.toFile().setWritable(true)).isTrue();
    Files.writeString(second, "altered");
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void whatWasWrittenToInTheCacheIsNotServed() throws Exception {
    store.write("/a", TEN);
    Path poisoned = target();
    find("/a").fetch(poisoned);
    assertThat(poisoned.toFile().setWritable(true)).isTrue();
    Files.writeString(poisoned, "9876543210");

    Path next = target();
    find("/a").fetch(next);

    assertThat(next).hasContent(TEN);
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void afterATaskHasAlteredItEachGetsACopyOfItsOwn() throws Exception {
    store.write("/a", TEN);
    Source source = find("/a");
    source.fetch(target());

    assertThat(source.spoiled()).isTrue();
    assertThat(source.spoiled()).isFalse();

    Path one = target();
    Path two = target();
    find("/a").fetch(one);
    find("/a").fetch(two);
    assertThat(Files.getAttribute(one, "unix:ino"))
        .isNotEqualTo(Files.getAttribute(two, "unix:ino"));
    assertThat(held()).isZero();
  }

  @Test
  void aFullDiskEmptiesTheCacheAndTheTaskGetsItsInputAllTheSame() throws Exception {
    store.write("/old", TEN);
    bring("/old");
    store.write("/a", TEN);
    store.beforeFetch(
        target -> {
          if (target.startsWith(temp.resolve("cache"))) {
            Files.writeString(target, "half");
            throw new IOException("No space left on device");
          }
        });

    assertThat(bring("/a").localBytes()).isEqualTo(10);

    assertThat(held()).isZero();
    store.beforeFetch(target -> {});
    bring("/a");
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void troubleOfTheStoreIsNotTheCachesAndIsNotMetTwice() throws Exception {
    store.write("/a", TEN);
    store.refuse(new IOException("no answer"));

    assertThatIOException()
        .isThrownBy(() -> find("/a").fetch(target()))
        .withMessageContaining("no answer");

    assertThat(store.fetches()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(10);
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void whoIsToldToStopLeavesNothingHalfDone() throws Exception {
    store.write("/a", TEN);
    store.beforeFetch(
        target -> {
          Files.writeString(target, "half");
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("told to stop");
        });

    assertThatThrownBy(() -> find("/a").fetch(target())).isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(temp.resolve("cache/parts")).isEmptyDirectory();
    assertThat(temp.resolve("cache/reservations")).isEmptyDirectory();
  }

  @Test
  void aLostInputIsALostInput() throws Exception {
    store.write("/a", TEN);
    Source source = find("/a");
    Files.delete(store.file("/a"));

    assertThatThrownBy(() -> source.fetch(target())).isInstanceOf(InputLostException.class);

    store.write("/a", "x".repeat(995));
    bring("/a");
    assertThat(bring("/a").cachedBytes()).as("no room was kept for what was lost").isEqualTo(995);
  }

  @Test
  void thoseWhoWantTheSameAtOnceWaitForTheOneThatFetches() throws Exception {
    store.write("/a", TEN);
    CountDownLatch go = new CountDownLatch(1);
    store.beforeFetch(
        target -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Future<Fetched>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Path target = target();
      all.add(pool.submit(() -> find("/a").fetch(target)));
    }
    await().until(() -> store.questions() == 8);
    go.countDown();

    long cached = 0;
    for (Future<Fetched> fetch : all) {
      cached += fetch.get().cachedBytes();
    }
    pool.shutdownNow();

    assertThat(store.fetches()).isEqualTo(1);
    assertThat(cached).isEqualTo(70);
  }

  @Test
  void onesOwnDirectoryIsWhatNobodyElseCanWriteTo() throws Exception {
    Path open = temp.resolve("open");
    Files.createDirectory(
        open, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("cache"));

    assertThatIOException()
        .isThrownBy(() -> CacheSpace.open(open, CacheRoom.of(LIMIT)))
        .withMessageContaining("open");
    assertThatIOException().isThrownBy(() -> CacheSpace.open(link, CacheRoom.of(LIMIT)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve("cache"))))
        .isEqualTo("rwx------");
  }

  @Test
  void twoProcessesFetchEachContentOnce() throws Exception {
    int files = 40;
    for (int i = 0; i < files; i++) {
      store.write("/f" + i, "content of " + i);
    }
    CacheProcess one = CacheProcess.start(temp, "one", 400);
    CacheProcess two = CacheProcess.start(temp, "two", 400);

    CacheProcess.Counts first = one.finish();
    CacheProcess.Counts second = two.finish();

    assertThat(first.wrong() + second.wrong()).isZero();
    assertThat(first.fetched() + second.fetched()).isEqualTo(files);
    assertThat(first.cached() + second.cached()).isEqualTo(800 - files);
  }

  @Test
  void twoProcessesKeepToOneLimitAndServeNothingWrong() throws Exception {
    for (int i = 0; i < 60; i++) {
      store.write("/f" + i, ("content of " + i + " ").repeat(5));
    }
    CacheProcess one = CacheProcess.start(temp, "one", 400);
    CacheProcess two = CacheProcess.start(temp, "two", 400);
    // While nothing can be dropped: otherwise what goes and what comes might both be seen.
    try (CacheSpace space = CacheSpace.open(temp.resolve("cache"), CacheRoom.of(LIMIT))) {
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                assertThat(space.locks().holding(CacheSpace.ACCOUNT_LOCK, this::held))
                    .isLessThanOrEqualTo(LIMIT);
                return !one.isAlive() && !two.isAlive();
              });
    }

    assertThat(one.finish().wrong() + two.finish().wrong()).isZero();
  }

  @Test
  void whatAKilledProcessHasLeftIsFilledByTheNext() throws Exception {
    store.write("/a", "x".repeat(990));
    CacheProcess stuck = CacheProcess.startStuck(temp, "/a");
    stuck.awaitStuck();

    stuck.kill();

    assertThat(bring("/a").localBytes()).isEqualTo(990);
    assertThat(bring("/a").cachedBytes()).isEqualTo(990);
  }
}
