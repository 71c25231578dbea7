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

/** Outputs of tasks that other tasks of the node read. */
class LocalOutputsTest extends NodeCacheTestBase {

  private LocalOutputs outputs;

  @BeforeEach
  void find() {
    outputs = cache.made();
  }

  /** Stores a file and leaves it in place, like the output of a task. */
  private StoredOutput make(String path, String content) throws IOException {
    Path file = target();
    Files.writeString(file, content);
    // The timestamps of files advance only every few milliseconds.
    Files.setLastModifiedTime(file, FileTime.fromMillis(77_000));
    Facts facts = LocalFiles.facts(file);
    Stored stored = store.put(file, path);
    return new StoredOutput(path, path, file, facts, stored);
  }

  private CacheKey key(String path) throws IOException {
    return CacheKey.of(path, find(path).version().orElseThrow());
  }

  private StoredOutput keep(String path, String content) throws IOException {
    StoredOutput output = make(path, content);
    assertThat(outputs.keep(key(path), output)).as(path).isTrue();
    return output;
  }

  @Test
  void outputIsLinkedForAllReadersWithoutAFetch() throws Exception {
    StoredOutput output = keep("/a", TEN);

    assertThat(output.file()).doesNotExist();
    assertThat(bring("/a")).isEqualTo(Fetched.cached(10, output.stored().crc32c()));
    assertThat(bring("/a")).isEqualTo(Fetched.cached(10, output.stored().crc32c()));
    assertThat(store.fetches()).isZero();
    assertThat(cachedBytes()).isEqualTo(10);
  }

  @Test
  void onlyReaderGetsTheFileAndFreesItsSpace() throws Exception {
    StoredOutput output = keep("/a", "x".repeat(1000));
    Path target = target();

    Optional<Fetched> taken = outputs.take(key("/a"), target);

    assertThat(taken).contains(Fetched.cached(1000, output.stored().crc32c()));
    assertThat(target).hasContent("x".repeat(1000));
    assertThat(LocalFiles.facts(target).isAlone()).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("r--r--r--");
    assertThat(temp.resolve("cache/notes")).isEmptyDirectory();
    assertThat(outputs.take(key("/a"), target())).isEmpty();
    keep("/b", "y".repeat(1000));
    assertThat(target).as("the file is no longer part of the cache").exists();
  }

  @Test
  void fileWithOtherLinksIsNotTaken() throws Exception {
    keep("/a", TEN);
    Path other = target();
    find("/a").fetch(other);

    assertThat(outputs.take(key("/a"), target())).isEmpty();

    assertThat(cachedBytes()).isEqualTo(10);
  }

  @Test
  void leastRecentlyUsedOutputIsEvicted() throws Exception {
    keep("/a", "x".repeat(600));
    keep("/b", "y".repeat(600));

    assertThat(cachedBytes()).isEqualTo(600);
    assertThat(bring("/b").cachedBytes()).isEqualTo(600);
    assertThat(bring("/a").cachedBytes()).isZero();
  }

  @Test
  void tooLargeOutputStaysInItsSandbox() throws Exception {
    StoredOutput output = make("/a", "x".repeat(1001));

    assertThat(outputs.keep(key("/a"), output)).isFalse();

    assertThat(output.file()).exists();
    assertThat(bring("/a").localBytes()).isEqualTo(1001);
  }

  @Test
  void outputAlteredAfterItWasStoredIsNotKept() throws Exception {
    StoredOutput output = make("/a", TEN);
    Files.writeString(output.file(), "9876543210");
    StoredOutput longer = make("/b", TEN);
    Files.writeString(longer.file(), "more", StandardOpenOption.APPEND);

    assertThat(outputs.keep(key("/a"), output)).isFalse();
    assertThat(outputs.keep(key("/b"), longer)).isFalse();

    assertThat(cachedBytes()).isZero();
    assertThat(bring("/a").localBytes()).isEqualTo(10);
    keep("/c", "x".repeat(1000));
  }

  @Test
  void outputThatABackgroundProcessAltersIsNotServed() throws Exception {
    for (boolean alone : new boolean[] {true, false}) {
      String path = "/a" + alone;
      StoredOutput output = make(path, TEN);
      try (OutputStream open = Files.newOutputStream(output.file(), StandardOpenOption.APPEND)) {
        assertThat(outputs.keep(key(path), output)).isTrue();
        open.write("late".getBytes(StandardCharsets.UTF_8));
      }

      if (alone) {
        Path target = target();
        assertThat(outputs.take(key(path), target)).isEmpty();
        assertThat(target).doesNotExist();
      } else {
        assertThat(bring(path).localBytes()).isEqualTo(10);
      }
      assertThat(store.read(path)).isEqualTo(TEN);
    }
  }

  @Test
  void outputWithASecondLinkIsNotKept() throws Exception {
    StoredOutput output = make("/a", TEN);
    Path name = Files.createLink(temp.resolve("mine"), output.file());

    assertThat(outputs.keep(key("/a"), output)).isFalse();

    assertThat(name).hasContent(TEN);
    assertThat(cachedBytes()).isZero();
  }

  @Test
  void outputReplacedInTheStoreIsNotServed() throws Exception {
    keep("/a", TEN);
    store.write("/a", "abcdefghijk");

    assertThat(bring("/a").localBytes()).isEqualTo(11);
    assertThat(outputs.take(key("/a"), target())).as("the new content was fetched").isPresent();
  }

  @Test
  void firstReaderOfAnAlteredOutputIsNotBlamed() throws Exception {
    keep("/made", TEN);
    store.write("/fetched", TEN);
    bring("/fetched");

    assertThat(cache.spoiled(key("/made"))).isFalse();
    assertThat(cache.spoiled(key("/fetched"))).isTrue();

    assertThat(outputs.take(key("/made"), target())).isEmpty();
    assertThat(outputs.keep(key("/made"), make("/again", TEN))).isFalse();
  }

  @Test
  void interruptedTaskMovesNothing() throws Exception {
    StoredOutput output = make("/a", TEN);
    CacheKey key = key("/a");

    Thread.currentThread().interrupt();
    boolean kept = outputs.keep(key, output);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(kept).isFalse();
    assertThat(output.file()).hasContent(TEN);
  }
}
