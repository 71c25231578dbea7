package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.concurrent.SteadyClock;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheLimitTest {

  private static final String CHECKER = "yarn.nodemanager.disk-health-checker.";
  private static final String PERCENTAGE = CHECKER + "max-disk-utilization-per-disk-percentage";
  private static final long GIGA = 1_000_000_000;
  private static final long RESERVED = 100;

  @TempDir private Path temp;
  private final Configuration yarn = new Configuration(false);

  /** The part of the disk, beyond what is reserved, that others have not filled. */
  private final AtomicLong room = new AtomicLong(1000);

  private final List<Message> sent = new ArrayList<>();
  private DirectoryStore store;
  private NodeCache cache;
  private CachingStore caching;

  @BeforeEach
  void open() throws Exception {
    store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    CacheLimit limit = new CacheLimit(Long.MAX_VALUE, RESERVED, this::usable);
    AtomicLong nanos = new AtomicLong();
    // Files that are used one after another have different times.
    Clock ticking = new SteadyClock(Clock.systemUTC(), () -> nanos.addAndGet(1_000_000));
    cache = new NodeCache(CacheDirectory.open(temp.resolve("cache"), limit), ticking, 0);
    caching = new CachingStore(store, cache);
  }

  private long usable() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("cache/contents"))) {
      return RESERVED + room.get() - files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @AfterEach
  void close() throws Exception {
    cache.close();
  }

  @ParameterizedTest
  @CsvSource({
    // disk in GB, percentage used, NodeManager's limit in percent, limit in GB
    "200, 50, 90, 40",
    "200, 80, 90, 10",
    "200, 85, 90, 5",
    "200, 89, 90, 1",
    "200, 90, 90, 0",
    "200, 95, 90, 0",
    "200, 80, 95, 15",
    "200, 95, 100, 5",
    "200, 60, 50, 0",
    "4000, 50, 90, 800",
    "4000, 80, 90, 200",
    "4000, 85, 90, 100",
    "4000, 95, 98, 60",
    "16000, 50, 90, 3200",
    "16000, 80, 90, 800",
    "16000, 89, 90, 80",
    "16000, 95, 90, 0",
    "16000, 80, 70, 0",
  })
  void takesHalfOfWhatIsFreeUntilTheNodeManagersLimit(long disk, int used, float most, long limit)
      throws Exception {
    yarn.setFloat(PERCENTAGE, most);
    long total = disk * GIGA;
    long reserved = CacheLimit.reservedBytes(total, yarn);
    long free = total / 100 * (100 - used);

    assertThat(new CacheLimit(Long.MAX_VALUE, reserved, () -> free).bytes(0, 0))
        .isEqualTo(limit * GIGA);
    assertThat(new CacheLimit(GIGA / 2, reserved, () -> free).bytes(0, 0))
        .isEqualTo(Math.min(limit * GIGA, GIGA / 2));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 10, 500, 1000})
  void doesNotDependOnWhatTheCacheHas(long cached) throws Exception {
    CacheLimit limit = new CacheLimit(Long.MAX_VALUE, RESERVED, () -> RESERVED + 1000 - cached);

    assertThat(limit.bytes(cached, 0)).isEqualTo(500);
  }

  @Test
  void severalCachesOfADiskAndWhatStaysFreeAreEqual() throws Exception {
    long disk = 1200;
    long[] caches = new long[5];
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < caches.length; i++) {
        long free = disk;
        for (long other : caches) {
          free -= other;
        }
        long left = free;
        caches[i] = new CacheLimit(Long.MAX_VALUE, 0, () -> left).bytes(caches[i], 0);
      }
    }

    for (long one : caches) {
      assertThat(one).isBetween(190L, 210L);
    }
  }

  @Test
  void theSettingsOfTheNodeManagerCount() {
    assertThat(CacheLimit.reservedBytes(1L << 30, yarn)).isEqualTo((1L << 30) / 10);
    yarn.set(CHECKER + "min-free-space-per-disk-mb", "200");
    assertThat(CacheLimit.reservedBytes(1L << 30, yarn)).isEqualTo(200 << 20);
    yarn.set(CHECKER + "disk-free-space-threshold.enabled", "false");
    assertThat(CacheLimit.reservedBytes(1L << 30, yarn)).isEqualTo((1L << 30) / 10);
    yarn.set(CHECKER + "disk-utilization-threshold.enabled", "false");
    assertThat(CacheLimit.reservedBytes(1L << 30, yarn)).isZero();
    yarn.set(CHECKER + "disk-free-space-threshold.enabled", "true");
    yarn.set(CHECKER + "enable", "false");
    assertThat(CacheLimit.reservedBytes(1L << 30, yarn)).isZero();
  }

  @Test
  void whatIsBeingFetchedCountsAsWritten() throws Exception {
    CacheDirectory space =
        CacheDirectory.open(
            temp.resolve("other"), new CacheLimit(Long.MAX_VALUE, RESERVED, this::usable));

    CacheKey fetched = key("a", 300);
    List<Boolean> fit =
        space
            .locks()
            .holding(
                fetched.lock(),
                () ->
                    List.of(
                        space.reserve(fetched).isPresent(),
                        space.reserve(key("b", 300)).isPresent(),
                        space.reserve(key("c", 200)).isPresent()));

    assertThat(fit).containsExactly(true, false, true);
    space.close();
  }

  @Test
  void aFetchInProgressDoesNotCountTwice() throws Exception {
    AtomicLong free = new AtomicLong(1000);
    CacheDirectory space =
        CacheDirectory.open(temp.resolve("other"), new CacheLimit(Long.MAX_VALUE, 0, free::get));
    CacheKey fetched = key("a", 500);

    space
        .locks()
        .holding(
            fetched.lock(),
            () -> {
              Path part = space.reserve(fetched).orElseThrow();
              assertThat(space.shrink()).isEmpty();
              Files.writeString(part, "x".repeat(490));
              free.set(510);
              assertThat(space.shrink()).as("nearly written").isEmpty();
              return Files.move(part, space.content(fetched));
            });
    free.set(500);

    assertThat(space.shrink()).as("published, and still reserved").isEmpty();
    space.close();
  }

  @Test
  void aCacheThatTheUserHasMadeSmallIsNoFullDisk() throws Exception {
    CacheDirectory space = CacheDirectory.open(temp.resolve("other"), CacheLimit.of(10));
    CacheKey large = key("a", 11);

    assertThat(space.locks().holding(large.lock(), () -> space.reserve(large))).isEmpty();

    assertThat(space.shrink()).isEmpty();
    space.close();
  }

  private static CacheKey key(String path, long bytes) {
    return CacheKey.of(path, new DataStore.Version(1, bytes, 2));
  }

  @Test
  void filesOfOthersShrinkTheCache() throws Exception {
    store.write("/old", "x".repeat(100));
    store.write("/new", "y".repeat(100));
    cached("/old");
    cached("/new");
    assertThat(cached("/old")).isEqualTo(100);

    room.set(250);
    caching.shrink(sent::add);

    assertThat(cached("/old")).as("the last one used").isEqualTo(100);
    assertThat(cache.bytes()).isEqualTo(100);
    room.set(100);
    caching.shrink(sent::add);
    assertThat(temp.resolve("cache/contents")).isEmptyDirectory();
    assertThat(sent).as("there was room for what tasks needed").isEmpty();
  }

  @Test
  void aFullDiskIsReportedWhenAFileFindsNoRoom() throws Exception {
    store.write("/a", "1".repeat(10));
    room.set(10);
    caching.shrink(sent::add);
    assertThat(sent).isEmpty();

    cached("/a");
    assertThat(cached("/a")).isZero();

    caching.shrink(sent::add);
    caching.shrink(sent::add);
    Message.DiskShortage report = new Message.DiskShortage(caching.node(), 5, 0);
    assertThat(sent).containsExactly(report);
    cached("/a");
    caching.reportAll();
    caching.shrink(sent::add);
    assertThat(sent).as("again to the next ApplicationMaster").containsExactly(report, report);
    caching.reportAll();
    caching.shrink(sent::add);
    assertThat(sent).as("all files since have found room").hasSize(2);
  }

  @Test
  void filesThatOnlyThisNodeHasAreReportedUntilTheyAreGone() throws Exception {
    Path made = Files.writeString(temp.resolve("made"), "m".repeat(100));
    cache.store().prepare(made, "/made").orElseThrow().commit();
    caching.shrink(sent::add);
    assertThat(sent).isEmpty();

    room.set(100);
    caching.shrink(sent::add);
    caching.shrink(sent::add);

    Message.DiskShortage report = new Message.DiskShortage(caching.node(), 50, 50);
    assertThat(sent).containsExactly(report, report);
  }

  private long cached(String path) throws Exception {
    Path target = temp.resolve("target");
    FileSlot slot = NodeCacheTestBase.shared(path);
    long bytes = requireNonNull(caching.find(List.of(slot)).get(path)).fetch(target).cachedBytes();
    Files.delete(target);
    return bytes;
  }
}
