package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.ContentChangedException;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.InputLostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a cache keeps, evicts and serves. */
class NodeCacheTest extends NodeCacheTestBase {

  @Test
  void secondTaskReadsFromTheCache() throws Exception {
    store.write("/a", TEN);

    Fetched first = bring("/a");
    Fetched second = bring("/a");

    assertThat(first.localBytes()).isEqualTo(10);
    assertThat(first.cachedBytes()).isZero();
    assertThat(second).isEqualTo(Fetched.cached(10, first.crc32c()));
    assertThat(store.fetches()).isEqualTo(1);
  }

  @Test
  void fileOfOneTaskIsNotKept() throws Exception {
    store.write("/a", TEN);
    FileSlot own = new FileSlot("a", "/a", 0);

    requireNonNull(caching.find(List.of(own)).get("/a")).fetch(target());

    assertThat(cachedBytes()).isZero();
  }

  @Test
  void changedContentIsFetchedAgain() throws Exception {
    store.write("/a", TEN);
    bring("/a");

    store.write("/a", "abcdefghij");
    Files.setLastModifiedTime(store.file("/a"), FileTime.fromMillis(77_000));
    Fetched sameLength = bring("/a");
    // Written beside the old file, whose inode number it might reuse afterwards.
    store.write("/new", "ABCDEFGHIJ");
    Files.setLastModifiedTime(store.file("/new"), FileTime.fromMillis(77_000));
    Files.move(store.file("/new"), store.file("/a"), StandardCopyOption.REPLACE_EXISTING);
    Fetched sameTime = bring("/a");

    assertThat(sameLength.cachedBytes()).isZero();
    assertThat(sameTime.cachedBytes()).isZero();
  }

  @Test
  void fileReplacedAfterTheLookupIsNotKeptUnderTheOldKey() throws Exception {
    store.write("/a", TEN);
    Source old = find("/a");
    store.write("/a", TEN + TEN);

    assertThatThrownBy(() -> old.fetch(target())).isInstanceOf(ContentChangedException.class);

    assertThat(cachedBytes()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(20);
  }

  @Test
  void leastRecentlyUsedIsEvictedFirstWithinTheLimit() throws Exception {
    for (int i = 0; i < 10; i++) {
      store.write("/f" + i, "x".repeat(100));
      bring("/f" + i);
      assertThat(cachedBytes()).isLessThanOrEqualTo(LIMIT);
    }
    assertThat(bring("/f0").cachedBytes()).isEqualTo(100);

    store.write("/new", "y".repeat(100));
    bring("/new");

    assertThat(cachedBytes()).isLessThanOrEqualTo(LIMIT);
    assertThat(bring("/new").cachedBytes()).isEqualTo(100);
    assertThat(bring("/f0").cachedBytes()).as("used recently").isEqualTo(100);
    assertThat(bring("/f1").cachedBytes()).as("least recently used").isZero();
  }

  @Test
  void tooLargeFileBypassesTheCacheAndEvictsNothing() throws Exception {
    store.write("/small", TEN);
    bring("/small");
    store.write("/large", "x".repeat(1001));

    assertThat(bring("/large").localBytes()).isEqualTo(1001);
    assertThat(bring("/large").localBytes()).isEqualTo(1001);

    assertThat(bring("/small").cachedBytes()).isEqualTo(10);
  }

  @Test
  void contentLinkedInASandboxIsNotEvicted() throws Exception {
    store.write("/used", "x".repeat(900));
    Path inUse = target();
    find("/used").fetch(inUse);
    store.write("/next", "y".repeat(900));

    assertThat(bring("/next").localBytes()).isEqualTo(900);

    assertThat(cachedBytes()).isEqualTo(900);
    assertThat(bring("/used").cachedBytes()).isEqualTo(900);
    Files.delete(inUse);
    bring("/next");
    assertThat(bring("/next").cachedBytes()).isEqualTo(900);
  }

  @Test
  void smallContentIsCopiedForTheTask() throws Exception {
    NodeCache copying =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(LIMIT)), clock(), 10);
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
  void alteredContentIsNotServed() throws Exception {
    store.write("/a", TEN);
    Path poisoned = target();
    find("/a").fetch(poisoned);
    assertThat(poisoned.toFile().setWritable(true)).isTrue();
    Files.writeString(poisoned, "9876543210");
    // All writes may happen within one tick of the clock, so times show no change.
    Files.setLastModifiedTime(poisoned, FileTime.fromMillis(System.currentTimeMillis() + 1_000));

    Path next = target();
    find("/a").fetch(next);

    assertThat(next).hasContent(TEN);
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void afterAnAlterationEachTaskGetsACopy() throws Exception {
    store.write("/a", TEN);
    Source source = find("/a");
    source.fetch(target());

    assertThat(source.markAltered()).isTrue();
    assertThat(source.markAltered()).isFalse();

    Path one = target();
    Path two = target();
    find("/a").fetch(one);
    find("/a").fetch(two);
    assertThat(Files.getAttribute(one, "unix:ino"))
        .isNotEqualTo(Files.getAttribute(two, "unix:ino"));
    assertThat(cachedBytes()).isZero();
  }

  @Test
  void fullDiskEmptiesTheCacheAndTheTaskGetsItsInput() throws Exception {
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

    assertThat(cachedBytes()).isZero();
    store.beforeFetch(target -> {});
    bring("/a");
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void failureOfTheStoreIsNotRetriedByTheCache() throws Exception {
    store.write("/a", TEN);
    store.injectedFailures.add(new IOException("no answer"));

    assertThatIOException()
        .isThrownBy(() -> find("/a").fetch(target()))
        .withMessageContaining("no answer");

    assertThat(store.fetches()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(10);
    assertThat(bring("/a").cachedBytes()).isEqualTo(10);
  }

  @Test
  void lostInputIsReportedAsLost() throws Exception {
    store.write("/a", TEN);
    Source source = find("/a");
    Files.delete(store.file("/a"));

    assertThatThrownBy(() -> source.fetch(target())).isInstanceOf(InputLostException.class);

    store.write("/a", "x".repeat(995));
    bring("/a");
    assertThat(bring("/a").cachedBytes())
        .as("no space stays reserved for the lost file")
        .isEqualTo(995);
  }
}
