package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.transfer.DataStore.Fetched;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several threads and processes of a user share a cache. */
class NodeCacheSharingTest extends NodeCacheTestBase {

  @Test
  void concurrentReadersWaitForOneFetch() throws Exception {
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
    await().until(() -> store.lookups() == 8);
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
  void cacheDirectoryMustBeWritableOnlyByItsOwner() throws Exception {
    Path open = temp.resolve("open");
    Files.createDirectory(
        open, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("cache"));

    assertThatIOException()
        .isThrownBy(() -> CacheDirectory.open(open, CacheLimit.of(LIMIT)))
        .withMessageContaining("open");
    assertThatIOException().isThrownBy(() -> CacheDirectory.open(link, CacheLimit.of(LIMIT)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve("cache"))))
        .isEqualTo("rwx------");
  }

  @Test
  void twoProcessesFetchEachFileOnce() throws Exception {
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
  void twoProcessesShareTheLimitAndServeRightContent() throws Exception {
    for (int i = 0; i < 60; i++) {
      store.write("/f" + i, ("content of " + i + " ").repeat(5));
    }
    CacheProcess one = CacheProcess.start(temp, "one", 400);
    CacheProcess two = CacheProcess.start(temp, "two", 400);
    // Until anything can be evicted; later a file could be counted before and after its eviction.
    try (CacheDirectory space = CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(LIMIT))) {
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                assertThat(space.locks().holding(CacheDirectory.ACCOUNT_LOCK, this::cachedBytes))
                    .isLessThanOrEqualTo(LIMIT);
                return !one.isAlive() && !two.isAlive();
              });
    }

    assertThat(one.finish().wrong() + two.finish().wrong()).isZero();
  }

  @Test
  void nextProcessCompletesTheFetchOfAKilledOne() throws Exception {
    store.write("/a", "x".repeat(990));
    CacheProcess stuck = CacheProcess.startStuck(temp, "/a");
    stuck.awaitStuck();

    stuck.kill();

    assertThat(bring("/a").localBytes()).isEqualTo(990);
    assertThat(bring("/a").cachedBytes()).isEqualTo(990);
  }

  @Test
  void interruptedFetchLeavesNothing() throws Exception {
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
}
