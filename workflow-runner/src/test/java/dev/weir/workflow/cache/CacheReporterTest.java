package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheReporterTest {

  private static final int MEBI = 1 << 20;

  @TempDir private Path temp;
  private final List<Message> sent = new ArrayList<>();
  private DirectoryStore store;
  private NodeCache cache;
  private CacheReporter reporter;
  private int targets;

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(10 * MEBI)),
            Clock.systemUTC(),
            0);
    reporter = new CacheReporter(cache, 2);
    reporter.connect(sent::add);
  }

  @AfterEach
  void close() throws IOException {
    cache.close();
  }

  /** Fetches a file through the cache and notifies the reporter. */
  private CacheKey bring(String path) throws IOException {
    FileSlot slot = NodeCacheTestBase.shared(path);
    Source source = requireNonNull(store.find(List.of(slot)).get(path));
    cache.bring(source, source.version().orElseThrow(), temp.resolve("target-" + targets++));
    CacheKey key = CacheKey.of(path, source.version().orElseThrow());
    reporter.brought(key, path);
    return key;
  }

  private void write(String path, int mebi) throws IOException {
    store.write(path, "x".repeat(mebi * MEBI));
  }

  @Test
  void nextMasterGetsTheWholeContent() throws IOException {
    reporter.reportAll();
    assertThat(sent).as("the cache is empty").isEmpty();
    write("/a", 1);
    write("/b", 2);
    bring("/a");
    bring("/b");
    sent.clear();

    reporter.reportAll();

    assertThat(sent)
        .containsExactly(
            new Message.CacheNews(Map.of("/a", (long) MEBI, "/b", 2L * MEBI), List.of()));
  }

  private static Message kept(String path, int mebi, String... gone) {
    return new Message.CacheNews(Map.of(path, (long) mebi * MEBI), List.of(gone));
  }

  @Test
  void reportsCachedFilesOnce() throws Exception {
    write("/a", 2);

    bring("/a");
    bring("/a");
    reporter.report();

    assertThat(sent).containsExactly(kept("/a", 2));
  }

  @Test
  void reportsLocalOutputsAfterTheirTask() throws Exception {
    write("/a", 2);
    FileSlot slot = NodeCacheTestBase.shared("/a");
    Source source = requireNonNull(store.find(List.of(slot)).get("/a"));
    cache.bring(source, source.version().orElseThrow(), temp.resolve("target"));

    reporter.made(CacheKey.of("/a", source.version().orElseThrow()), "/a");
    reporter.report();
    assertThat(sent).isEmpty();
    reporter.report();
    reporter.report();

    assertThat(sent).containsExactly(kept("/a", 2));
  }

  @Test
  void reportsNoFilesThatDidNotFit() throws Exception {
    write("/a", 11);

    bring("/a");

    assertThat(sent).isEmpty();
  }

  @Test
  void reportsEvictedFiles() throws Exception {
    write("/a", 2);
    write("/b", 2);
    bring("/a");
    CacheKey b = bring("/b");
    sent.clear();

    // Another worker of the node evicts a file like this.
    Files.delete(temp.resolve("cache/contents").resolve(b.digest()));
    reporter.report();
    reporter.report();

    assertThat(sent).containsExactly(new Message.CacheNews(Map.of(), List.of("/b")));
    bring("/b");
    assertThat(sent).endsWith(kept("/b", 2));
  }

  @Test
  void checksWithOneListingWithoutBlockingFetches() throws Exception {
    Set<String> there = ConcurrentHashMap.newKeySet();
    AtomicInteger lookups = new AtomicInteger();
    CountDownLatch listing = new CountDownLatch(1);
    CountDownLatch brought = new CountDownLatch(1);
    CacheReporter some =
        new CacheReporter(
            new CacheReporter.Kept() {
              @Override
              public boolean keeps(CacheKey key) {
                lookups.incrementAndGet();
                return there.contains(key.digest());
              }

              @Override
              public Set<String> all() throws IOException {
                Set<String> all = Set.copyOf(there);
                listing.countDown();
                try {
                  assertThat(brought.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                return all;
              }
            },
            100);
    List<Message> received = new CopyOnWriteArrayList<>();
    some.connect(received::add);
    for (int i = 0; i < 50; i++) {
      there.add("d" + i);
      some.brought(new CacheKey("d" + i, MEBI, 0), "/" + i);
    }
    there.remove("d7");
    lookups.set(0);
    Thread checker = new Thread(some::report);
    checker.start();
    listing.await();

    there.add("new");
    some.brought(new CacheKey("new", MEBI, 0), "/new");
    brought.countDown();
    checker.join();

    assertThat(lookups).as("one for the fetched file and one for the unlisted file").hasValue(2);
    assertThat(received).endsWith(new Message.CacheNews(Map.of(), List.of("/7")));
  }

  @Test
  void reportsAlteredFilesAsGone() throws Exception {
    write("/a", 2);
    CacheKey a = bring("/a");

    cache.spoiled(a);
    reporter.report();

    assertThat(sent).endsWith(new Message.CacheNews(Map.of(), List.of("/a")));
  }

  @Test
  void doesNotReportReplacedFilesAsGone() throws Exception {
    write("/a", 2);
    CacheKey first = bring("/a");
    write("/a", 3);
    bring("/a");
    sent.clear();

    Files.delete(temp.resolve("cache/contents").resolve(first.digest()));
    reporter.report();

    assertThat(sent).isEmpty();
  }

  @Test
  void tracksALimitedNumberOfFiles() throws Exception {
    write("/a", 1);
    write("/b", 1);
    write("/c", 1);
    bring("/a");
    bring("/b");
    bring("/c");

    assertThat(sent).endsWith(kept("/c", 1, "/a"));
    try (Stream<Path> contents = Files.list(temp.resolve("cache/contents"))) {
      assertThat(contents).hasSize(3);
    }
  }
}
