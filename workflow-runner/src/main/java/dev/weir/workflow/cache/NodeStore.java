package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.transfer.DataStore.Kept;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of a node's tasks that are not in HDFS. They are contents of the node's cache that
 * are not evicted. Thread-safe.
 */
final class NodeStore {

  private static final Logger LOG = LoggerFactory.getLogger(NodeStore.class);
  private static final int BUFFER_BYTES = 256 << 10;

  private final CacheDirectory space;
  private final Clock clock;

  NodeStore(CacheDirectory space, Clock clock) {
    this.space = space;
    this.clock = clock;
  }

  /**
   * Prepares to move an output into the store.
   *
   * @return empty when there is no room, or when the output has a second hard link
   */
  Optional<Kept> prepare(Path file, String path) throws IOException {
    Facts facts = LocalFiles.facts(file);
    if (!facts.isAlone()) {
      return Optional.empty();
    }
    long crc32c = checksum(file, facts.bytes());
    NodeContent content = new NodeContent(facts.bytes(), crc32c, clock.millis(), List.of());
    CacheKey key = CacheKey.of(path, content);
    return space.hasRoomFor(key)
        ? Optional.of(new Prepared(file, facts, key, content))
        : Optional.empty();
  }

  private static long checksum(Path file, long bytes) throws IOException {
    byte[] buffer = new byte[(int) Math.max(1, Math.min(BUFFER_BYTES, bytes))];
    CRC32C crc = new CRC32C();
    try (InputStream in = Files.newInputStream(file)) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        crc.update(buffer, 0, length);
      }
    }
    return Checksum.of(crc);
  }

  /**
   * Finds a file.
   *
   * @throws NoSuchFileException when it is gone, or was altered
   */
  Path find(CacheKey key) throws IOException {
    Path file = space.content(key);
    if (Files.exists(space.spoiled(key)) || !space.isWhole(key, file)) {
      throw new NoSuchFileException(file.toString(), null, "it was altered");
    }
    return file;
  }

  /** Removes a file. */
  void drop(CacheKey key) {
    space.drop(key);
  }

  private final class Prepared implements Kept {

    private final Path file;
    private final Facts facts;
    private final CacheKey key;
    private final NodeContent content;

    Prepared(Path file, Facts facts, CacheKey key, NodeContent content) {
      this.file = file;
      this.facts = facts;
      this.key = key;
      this.content = content;
    }

    @Override
    public long crc32c() {
      return content.crc32c();
    }

    @Override
    public long millis() {
      return content.millis();
    }

    @Override
    public void commit() throws IOException {
      boolean interrupted = Thread.interrupted();
      try {
        move();
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private void move() throws IOException {
      Path part = space.part(key);
      Files.move(file, part, StandardCopyOption.ATOMIC_MOVE);
      LocalFiles.setReadOnly(part);
      Facts now = LocalFiles.facts(part);
      if (now.inode() != facts.inode() || now.isWrittenSince(facts) || !now.isAlone()) {
        throw new IOException(file + " was written to after its command had ended");
      }
      // As late as possible: from here on the modification time shows later writes.
      Files.setLastModifiedTime(part, FileTime.fromMillis(key.modifiedMillis()));
      Files.writeString(
          space.note(key), new CachedContentMetadata(content.crc32c(), true).text(), UTF_8);
      space.publishPinned(key);
    }

    @Override
    public void undo() {
      space.drop(key);
      try {
        Files.deleteIfExists(space.part(key));
      } catch (IOException e) {
        LOG.warn("Cannot remove an output that is not committed", e);
      }
    }
  }
}
