package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DirectoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheLimitTest {

  private static final long DISK = 1000;

  @TempDir private Path temp;
  private final AtomicLong usable = new AtomicLong(DISK);

  @ParameterizedTest
  @CsvSource({"1000, 500", "500, 250", "400, 200", "300, 100", "200, 0", "100, 0", "0, 0"})
  void fifthOfTheDiskStaysFree(long free, long limit) throws Exception {
    usable.set(free);

    assertThat(CacheLimit.shareOf(DISK, usable::get).limitBytes()).isEqualTo(limit);
  }

  @Test
  void filesOfOthersShrinkTheCache() throws Exception {
    DirectoryStore store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    CacheLimit room = CacheLimit.shareOf(DISK, usable::get);
    try (NodeCache cache =
        new NodeCache(CacheDirectory.open(temp.resolve("cache"), room), Clock.systemUTC(), 0)) {
      CachingStore caching = new CachingStore(store, cache);
      store.write("/old", "x".repeat(100));
      store.write("/new", "y".repeat(100));
      assertThat(cached(caching, "/old")).as("not cached yet").isZero();
      assertThat(cached(caching, "/old")).isEqualTo(100);

      usable.set(250);
      cached(caching, "/new");
      assertThat(temp.resolve("cache/contents"))
          .as("older contents are evicted")
          .isEmptyDirectory();
      usable.set(300);
      cached(caching, "/new");
      assertThat(cached(caching, "/new")).isEqualTo(100);
    }
  }

  @Test
  void fullDiskLeavesNoSpaceForACache() throws Exception {
    DirectoryStore store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    usable.set(150);
    CacheLimit room = CacheLimit.shareOf(DISK, usable::get);
    try (NodeCache cache =
        new NodeCache(CacheDirectory.open(temp.resolve("cache"), room), Clock.systemUTC(), 0)) {
      CachingStore caching = new CachingStore(store, cache);
      store.write("/a", "1");

      cached(caching, "/a");
      assertThat(cached(caching, "/a")).isZero();
    }
  }

  private long cached(CachingStore caching, String path) throws Exception {
    Path target = temp.resolve("target");
    FileSlot slot = NodeCacheTestBase.shared(path);
    long bytes = requireNonNull(caching.find(List.of(slot)).get(path)).fetch(target).cachedBytes();
    Files.delete(target);
    return bytes;
  }
}
