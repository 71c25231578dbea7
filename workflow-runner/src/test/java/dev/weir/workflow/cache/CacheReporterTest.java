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
  private final List<Message> said = new ArrayList<>();
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
    reporter.connect(said::add);
  }

  @AfterEach
  void close() throws IOException {
    cache.close();
  }

  /** Brings a file through the cache, and tells. */
  private CacheKey bring(String path) throws IOException {
    FileSlot slot = NodeCacheBench.shared(path);
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
  void anotherMasterIsToldAllOfItAgain() throws IOException {
    reporter.tellAgain();
    assertThat(said).as("nothing is kept").isEmpty();
    write("/a", 1);
    write("/b", 2);
    bring("/a");
    bring("/b");
    said.clear();

    reporter.tellAgain();

    assertThat(said)
        .containsExactly(
            new Message.CacheNews(Map.of("/a", (long) MEBI, "/b", 2L * MEBI), List.of()));
  }

  private static Message kept(String path, int mebi, String... gone) {
    return new Message.CacheNews(Map.of(path, (long) mebi * MEBI), List.of(gone));
  }

  @Test
  void tellsOnceOfWhatIsKept() throws Exception {
    write("/a", 2);

    bring("/a");
    bring("/a");
    reporter.report();

    assertThat(said).containsExactly(kept("/a", 2));
  }

  @Test
  void tellsOfWhatWasMadeHereWhenItsTaskHasReportedIt() throws Exception {
    write("/a", 2);
    FileSlot slot = NodeCacheBench.shared("/a");
    Source source = requireNonNull(store.find(List.of(slot)).get("/a"));
    cache.bring(source, source.version().orElseThrow(), temp.resolve("target"));

    reporter.made(CacheKey.of("/a", source.version().orElseThrow()), "/a");
    reporter.report();
    assertThat(said).isEmpty();
    reporter.report();
    reporter.report();

    assertThat(said).containsExactly(kept("/a", 2));
  }

  @Test
  void tellsNothingOfWhatDidNotFit() throws Exception {
    write("/a", 11);

    bring("/a");

    assertThat(said).isEmpty();
  }

  @Test
  void tellsOfWhatHasGone() throws Exception {
    write("/a", 2);
    write("/b", 2);
    bring("/a");
    CacheKey b = bring("/b");
    said.clear();

    // As another worker of the node does when it makes room.
    Files.delete(temp.resolve("cache/contents").resolve(b.digest()));
    reporter.report();
    reporter.report();

    assertThat(said).containsExactly(new Message.CacheNews(Map.of(), List.of("/b")));
    bring("/b");
    assertThat(said).endsWith(kept("/b", 2));
  }

  @Test
  void looksWithOneListingAndKeepsNobodyWaiting() throws Exception {
    Set<String> there = ConcurrentHashMap.newKeySet();
    AtomicInteger questions = new AtomicInteger();
    CountDownLatch listing = new CountDownLatch(1);
    CountDownLatch brought = new CountDownLatch(1);
    CacheReporter some =
        new CacheReporter(
            new CacheReporter.Kept() {
              @Override
              public boolean keeps(CacheKey key) {
                questions.incrementAndGet();
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
    List<Message> heard = new CopyOnWriteArrayList<>();
    some.connect(heard::add);
    for (int i = 0; i < 50; i++) {
      there.add("d" + i);
      some.brought(new CacheKey("d" + i, MEBI, 0), "/" + i);
    }
    there.remove("d7");
    questions.set(0);
    Thread looker = new Thread(some::report);
    looker.start();
    listing.await();

    there.add("new");
    some.brought(new CacheKey("new", MEBI, 0), "/new");
    brought.countDown();
    looker.join();

    assertThat(questions).as("of what it brings, and what is not listed").hasValue(2);
    assertThat(heard).endsWith(new Message.CacheNews(Map.of(), List.of("/7")));
  }

  @Test
  void aContentThatWasAlteredIsGone() throws Exception {
    write("/a", 2);
    CacheKey a = bring("/a");

    cache.spoiled(a);
    reporter.report();

    assertThat(said).endsWith(new Message.CacheNews(Map.of(), List.of("/a")));
  }

  @Test
  void aPathWithANewContentIsNotGone() throws Exception {
    write("/a", 2);
    CacheKey first = bring("/a");
    write("/a", 3);
    bring("/a");
    said.clear();

    Files.delete(temp.resolve("cache/contents").resolve(first.digest()));
    reporter.report();

    assertThat(said).isEmpty();
  }

  @Test
  void looksAfterSoManyAndNoMore() throws Exception {
    write("/a", 1);
    write("/b", 1);
    write("/c", 1);
    bring("/a");
    bring("/b");
    bring("/c");

    assertThat(said).endsWith(kept("/c", 1, "/a"));
    try (Stream<Path> contents = Files.list(temp.resolve("cache/contents"))) {
      assertThat(contents).hasSize(3);
    }
  }
}
