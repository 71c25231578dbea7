package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.ManualExecutor;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.FileNotFoundException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocationCacheTest {

  private static final FilesResourceName A = FilesResourceName.parse("weir:/a");
  private static final LocationResult FOUND = new LocationResult.Found(Map.of("h1", 5L));
  private static final LocationResult PENDING = new LocationResult.Pending();
  private static final LocationResult UNKNOWN =
      new LocationResult.Unknown(LocationResult.Why.NOT_THERE);

  private final FakeLookup files = new FakeLookup().file("/a", Map.of("h1", 5L));
  private final ManualExecutor executor = new ManualExecutor();
  private final ManualClock clock = new ManualClock();
  private final AskMetrics metrics = new AskMetrics();
  private final LocationCache cache = cache(LocationCache.MAX_WEIGHT);

  @Test
  void answersAfterTheLookup() {
    assertThat(cache.locate("alice", A)).isEqualTo(PENDING);
    executor.runAll();

    assertThat(cache.locate("alice", A)).isEqualTo(FOUND);
    assertThat(executor.waiting()).isZero();
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_DONE)).isEqualTo(1);
  }

  @Test
  void looksUpANameOnceForManyRequests() {
    cache.locate("alice", A);
    cache.locate("alice", A);

    assertThat(executor.waiting()).isEqualTo(1);
  }

  @Test
  void entriesAreSeparatePerUser() {
    files.readableOnlyBy("alice", "/a");
    cache.locate("alice", A);
    executor.runAll();

    assertThat(cache.locate("bob", A)).isEqualTo(PENDING);
    executor.runAll();
    assertThat(cache.locate("bob", A)).isEqualTo(UNKNOWN);
    assertThat(cache.locate("alice", A)).isEqualTo(FOUND);
  }

  @Test
  void returnsAnOldAnswerWhileItIsRenewed() {
    cache.locate("alice", A);
    executor.runAll();
    clock.advance(LocationCache.FRESH_MILLIS);
    files.file("/a", Map.of("h2", 7L));

    assertThat(cache.locate("alice", A)).isEqualTo(FOUND);
    executor.runAll();
    assertThat(cache.locate("alice", A)).isEqualTo(new LocationResult.Found(Map.of("h2", 7L)));
  }

  @Test
  void dropsAnswersThatAreTooOld() {
    cache.locate("alice", A);
    executor.runAll();
    clock.advance(LocationCache.USABLE_MILLIS);

    assertThat(cache.locate("alice", A)).isEqualTo(PENDING);
  }

  @Test
  void retriesMissingFiles() {
    FilesResourceName late = FilesResourceName.parse("weir:/late");
    cache.locate("alice", late);
    executor.runAll();
    assertThat(cache.locate("alice", late)).isEqualTo(UNKNOWN);
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_FAILED)).isEqualTo(1);

    files.file("/late", Map.of("h1", 5L));
    clock.advance(LocationCache.FAILURE_MILLIS);
    assertThat(cache.locate("alice", late)).isEqualTo(PENDING);
    executor.runAll();
    assertThat(cache.locate("alice", late)).isEqualTo(FOUND);
  }

  @Test
  void aRefusedLookupIsAnAnswer() {
    LocationCache full =
        new LocationCache(
            files,
            task -> {
              throw new RejectedExecutionException();
            },
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    assertThat(full.locate("alice", A))
        .isEqualTo(new LocationResult.Unknown(LocationResult.Why.TOO_MANY));
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_REFUSED)).isEqualTo(1);
  }

  @Test
  void survivesAMissingClass() {
    LocationCache broken =
        new LocationCache(
            (user, paths) -> {
              throw new NoClassDefFoundError("DistributedFileSystem");
            },
            Runnable::run,
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    assertThat(broken.locate("alice", A))
        .isEqualTo(new LocationResult.Unknown(LocationResult.Why.NO_ANSWER));
  }

  @Test
  void isStalledWhileALookupTakesTooLong() {
    boolean[] stalled = new boolean[2];
    LocationCache[] slow = new LocationCache[1];
    slow[0] =
        new LocationCache(
            (user, paths) -> {
              stalled[0] = slow[0].stalled("alice", 1_000);
              clock.advance(1_000);
              stalled[1] = slow[0].stalled("alice", 1_000);
              return Map.of();
            },
            Runnable::run,
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    slow[0].locate("alice", A);

    assertThat(stalled).containsExactly(false, true);
    assertThat(slow[0].stalled("alice", 1_000)).isFalse();
  }

  @Test
  void aSlowLookupOfOneUserStallsNoOther() throws Exception {
    try (SlowLookups slow = new SlowLookups()) {
      slow.hang("alice", "/slow");
      clock.advance(1_000);

      assertThat(slow.cache.stalled("alice", 1_000)).isTrue();
      assertThat(slow.cache.stalled("bob", 1_000)).isFalse();
    }
  }

  @Test
  void aFileSystemThatDoesNotAnswerStallsAll() throws Exception {
    try (SlowLookups slow = new SlowLookups()) {
      slow.hang("alice", "/slow");
      slow.hang("bob", "/slow");
      clock.advance(1_000);
      assertThat(slow.cache.stalled("carol", 1_000)).isTrue();

      slow.cache.locate("carol", A);
      await().until(() -> slow.cache.locate("carol", A).equals(FOUND));
      assertThat(slow.cache.stalled("carol", 1_000)).isFalse();
    }
  }

  @Test
  void slowLookupsOfOneUserDelayNoOther() throws Exception {
    try (SlowLookups slow = new SlowLookups()) {
      for (int i = 0; i < 100; i++) {
        slow.cache.locate("alice", FilesResourceName.parse("weir:/slow/" + i + "/file"));
      }
      await().until(() -> slow.hanging.get() == FairExecutor.THREADS / 2);

      slow.cache.locate("bob", A);
      await().until(() -> slow.cache.locate("bob", A).equals(FOUND));
    }
  }

  /** Threads as in a ResourceManager, and a file system that hangs below /slow. */
  private final class SlowLookups implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final ExecutorService threads = LookupThreads.create();
    private final LocationCache cache =
        new LocationCache(
            (user, paths) -> {
              if (paths.get(0).startsWith("/slow")) {
                hanging.incrementAndGet();
                end.await();
              }
              return files.bytesByHost(user, paths);
            },
            threads,
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    void hang(String user, String path) {
      int before = hanging.get();
      cache.locate(user, FilesResourceName.parse("weir:" + path));
      await().until(() -> hanging.get() > before);
    }

    @Override
    public void close() {
      end.countDown();
      threads.shutdownNow();
    }
  }

  /** Otherwise every ask after a timed-out lookup would be held again. */
  @Test
  void isStalledForAsLongAsAnUnansweredLookupTook() {
    boolean[] silent = {true};
    LocationCache slow =
        new LocationCache(
            (user, paths) -> {
              if (silent[0]) {
                clock.advance(10_000);
                throw new SocketTimeoutException("no answer");
              }
              return Map.of("h1", 1L);
            },
            Runnable::run,
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    slow.locate("alice", A);
    assertThat(slow.stalled("alice", 1_500)).isTrue();
    clock.advance(9_999);
    assertThat(slow.stalled("alice", 1_500)).isTrue();
    clock.advance(1);
    assertThat(slow.stalled("alice", 1_500)).as("stalled after the same time again").isFalse();

    slow.locate("alice", FilesResourceName.parse("weir:/b"));
    assertThat(slow.stalled("alice", 1_500)).isTrue();
    silent[0] = false;
    slow.locate("alice", FilesResourceName.parse("weir:/c"));
    assertThat(slow.stalled("alice", 1_500)).as("stalled after an answer").isFalse();
  }

  @Test
  void aRefusalIsAnAnswer() {
    LocationCache slow =
        new LocationCache(
            (user, paths) -> {
              clock.advance(10_000);
              throw new FileNotFoundException("/a");
            },
            Runnable::run,
            clock,
            metrics,
            LocationCache.MAX_WEIGHT);

    slow.locate("alice", A);

    assertThat(slow.stalled("alice", 1_500)).isFalse();
  }

  @Test
  void evictsTheLeastRecentlyUsed() {
    LocationCache small = cache(2_000);
    for (int i = 0; i < 50; i++) {
      small.locate("alice", A);
      small.locate("alice", FilesResourceName.parse("weir:/" + i));
      executor.runAll();
    }

    assertThat(small.size()).isBetween(2, 6);
    assertThat(small.locate("alice", A)).isEqualTo(FOUND);
  }

  @Test
  void keepsOnlyTheHostsWithMostBytes() {
    Map<String, Long> many = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      many.put("h" + i, (long) i);
    }
    files.file("/a", many);
    cache.locate("alice", A);
    executor.runAll();

    Map<String, Long> kept = ((LocationResult.Found) cache.locate("alice", A)).bytesByHost();
    assertThat(kept).hasSize(LocationCache.MAX_HOSTS).containsEntry("h4999", 4_999L);
  }

  private LocationCache cache(long maxWeight) {
    return new LocationCache(files, executor, clock, metrics, maxWeight);
  }
}
