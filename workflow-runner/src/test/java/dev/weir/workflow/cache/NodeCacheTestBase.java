package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cache of a thousand bytes in front of a directory of files. */
abstract class NodeCacheTestBase {

  static final long LIMIT = 1000;
  static final String TEN = "0123456789";

  @TempDir Path temp;
  final AtomicLong now = new AtomicLong(1_000_000);
  DirectoryStore store;
  NodeCache cache;
  CachingStore caching;
  int targets;

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectories(temp.resolve("store")));
    cache =
        new NodeCache(CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(LIMIT)), clock(), 0);
    caching = new CachingStore(store, cache);
  }

  @AfterEach
  void close() throws IOException {
    cache.close();
  }

  /** Advances with each reading. */
  Clock clock() {
    InstantSource source = () -> Instant.ofEpochMilli(now.addAndGet(1000));
    return source.withZone(ZoneOffset.UTC);
  }

  static FileSlot shared(String path) {
    return new FileSlot(path.substring(1), path, 0, FileSlot.Kind.SHARED, 0);
  }

  Source find(String path) throws IOException {
    return requireNonNull(caching.find(List.of(shared(path))).get(path));
  }

  Path target() {
    targets++;
    return temp.resolve("target-" + targets);
  }

  Fetched bring(String path) throws IOException {
    Path target = target();
    Fetched fetched = find(path).fetch(target);
    assertThat(target).hasContent(store.read(path));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("r--r--r--");
    Files.delete(target);
    return fetched;
  }

  long cachedBytes() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("cache/contents"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
