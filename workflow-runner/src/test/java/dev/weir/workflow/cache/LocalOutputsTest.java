package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Stored;
import dev.weir.workflow.transfer.DataStore.StoredOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tasks of a node make and others of it read. */
class LocalOutputsTest extends NodeCacheBench {

  private LocalOutputs contents;

  @BeforeEach
  void find() {
    contents = cache.made();
  }

  /** What a task has left in its sandbox, and stored. */
  private StoredOutput make(String path, String content) throws IOException {
    Path file = target();
    Files.writeString(file, content);
    // The kernel's clock stands still for milliseconds.
    Files.setLastModifiedTime(file, FileTime.fromMillis(77_000));
    Facts facts = LocalFiles.facts(file);
    Stored stored = store.put(file, path);
    return new StoredOutput(path, path, file, facts, stored);
  }

  private CacheKey key(String path) throws IOException {
    return CacheKey.of(path, find(path).version().orElseThrow());
  }

  private StoredOutput keep(String path, String content) throws IOException {
    StoredOutput made = make(path, content);
    assertThat(contents.keep(key(path), made)).as(path).isTrue();
    return made;
  }

  @Test
  void whatATaskMadeIsLinkedToAllThatReadItAndFetchedByNone() throws Exception {
    StoredOutput made = keep("/a", TEN);

    assertThat(made.file()).doesNotExist();
    assertThat(bring("/a")).isEqualTo(Fetched.cached(10, made.stored().crc32c()));
    assertThat(bring("/a")).isEqualTo(Fetched.cached(10, made.stored().crc32c()));
    assertThat(store.fetches()).isZero();
    assertThat(held()).isEqualTo(10);
  }

  @Test
  void theOnlyReaderHasItForItsOwnAndItsRoomIsFree() throws Exception {
    StoredOutput made = keep("/a", "x".repeat(1000));
    Path target = target();

    Optional<Fetched> taken = contents.take(key("/a"), target);

    assertThat(taken).contains(Fetched.cached(1000, made.stored().crc32c()));
    assertThat(target).hasContent("x".repeat(1000));
    assertThat(LocalFiles.facts(target).isAlone()).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("r--r--r--");
    assertThat(temp.resolve("cache/notes")).isEmptyDirectory();
    assertThat(contents.take(key("/a"), target())).isEmpty();
    keep("/b", "y".repeat(1000));
    assertThat(target).as("it is no content of the cache any more").exists();
  }

  @Test
  void whatIsLinkedElsewhereIsTakenByNobody() throws Exception {
    keep("/a", TEN);
    Path other = target();
    find("/a").fetch(other);

    assertThat(contents.take(key("/a"), target())).isEmpty();

    assertThat(held()).isEqualTo(10);
  }

  @Test
  void whatWasNotUsedForLongestMakesRoom() throws Exception {
    keep("/a", "x".repeat(600));
    keep("/b", "y".repeat(600));

    assertThat(held()).isEqualTo(600);
    assertThat(bring("/b").cachedBytes()).isEqualTo(600);
    assertThat(bring("/a").cachedBytes()).isZero();
  }

  @Test
  void whereThereIsNoRoomItStaysWhereItIs() throws Exception {
    StoredOutput made = make("/a", "x".repeat(1001));

    assertThat(contents.keep(key("/a"), made)).isFalse();

    assertThat(made.file()).exists();
    assertThat(bring("/a").localBytes()).isEqualTo(1001);
  }

  @Test
  void whatWasWrittenToSinceItWasStoredIsNotKept() throws Exception {
    StoredOutput made = make("/a", TEN);
    Files.writeString(made.file(), "9876543210");
    StoredOutput longer = make("/b", TEN);
    Files.writeString(longer.file(), "more", StandardOpenOption.APPEND);

    assertThat(contents.keep(key("/a"), made)).isFalse();
    assertThat(contents.keep(key("/b"), longer)).isFalse();

    assertThat(held()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(10);
    keep("/c", "x".repeat(1000));
  }

  @Test
  void whatSomethingLeftRunningWritesLaterIsGivenToNobody() throws Exception {
    for (boolean alone : new boolean[] {true, false}) {
      String path = "/a" + alone;
      StoredOutput made = make(path, TEN);
      try (OutputStream open = Files.newOutputStream(made.file(), StandardOpenOption.APPEND)) {
        assertThat(contents.keep(key(path), made)).isTrue();
        open.write("late".getBytes(StandardCharsets.UTF_8));
      }

      if (alone) {
        Path target = target();
        assertThat(contents.take(key(path), target)).isEmpty();
        assertThat(target).doesNotExist();
      } else {
        assertThat(bring(path).localBytes()).isEqualTo(10);
      }
      assertThat(store.read(path)).isEqualTo(TEN);
    }
  }

  @Test
  void aFileWithAnotherNameIsNotKept() throws Exception {
    StoredOutput made = make("/a", TEN);
    Path name = Files.createLink(temp.resolve("mine"), made.file());

    assertThat(contents.keep(key("/a"), made)).isFalse();

    assertThat(name).hasContent(TEN);
    assertThat(held()).isZero();
  }

  @Test
  void whatIsReplacedInTheStoreIsNotServed() throws Exception {
    keep("/a", TEN);
    store.write("/a", "abcdefghijk");

    assertThat(bring("/a").localBytes()).isEqualTo(11);
    assertThat(contents.take(key("/a"), target())).as("what was fetched of it now").isPresent();
  }

  @Test
  void whoSaysFirstThatItIsAlteredMayNotHaveDoneIt() throws Exception {
    keep("/made", TEN);
    store.write("/fetched", TEN);
    bring("/fetched");

    assertThat(cache.spoiled(key("/made"))).isFalse();
    assertThat(cache.spoiled(key("/fetched"))).isTrue();

    assertThat(contents.take(key("/made"), target())).isEmpty();
    assertThat(contents.keep(key("/made"), make("/again", TEN))).isFalse();
  }

  @Test
  void whoIsToldToStopMovesNothing() throws Exception {
    StoredOutput made = make("/a", TEN);
    CacheKey key = key("/a");

    Thread.currentThread().interrupt();
    boolean kept = contents.keep(key, made);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(kept).isFalse();
    assertThat(made.file()).hasContent(TEN);
  }
}
