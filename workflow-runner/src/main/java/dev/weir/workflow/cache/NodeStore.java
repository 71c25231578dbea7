package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Kept;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of a node's tasks that are not in HDFS. They are contents of the node's cache that
 * are not evicted. A rename stays on its disk, so each worker moves its outputs to the disk of its
 * sandboxes, and reads those on other disks, too. Thread-safe.
 */
final class NodeStore {

  private static final Logger LOG = LoggerFactory.getLogger(NodeStore.class);
  private static final int BUFFER_BYTES = 256 << 10;

  private final CacheDirectory space;
  private final List<CacheDirectory> otherDisks;
  private final Clock clock;

  /**
   * Creates the store.
   *
   * @param space gets the outputs of this worker
   * @param otherDisks have outputs of other workers of this node
   */
  NodeStore(CacheDirectory space, List<CacheDirectory> otherDisks, Clock clock) {
    this.space = space;
    this.otherDisks = List.copyOf(otherDisks);
    this.clock = clock;
  }

  /**
   * Prepares to move an output into the store.
   *
   * @return empty when there is no room, or when the output has a second hard link or is on another
   *     disk
   */
  Optional<Kept> prepare(Path file, String path) throws IOException {
    Facts facts = LocalFiles.facts(file);
    if (!facts.isAlone() || !space.isOnSameDisk(file)) {
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
   * Finds a file on any disk.
   *
   * @throws NoSuchFileException when it is gone, or was altered
   */
  Path find(CacheKey key) throws IOException {
    CacheDirectory disk = diskOf(key);
    Path file = disk.content(key);
    if (Files.exists(disk.spoiled(key)) || !disk.isWhole(key, file)) {
      throw new NoSuchFileException(file.toString(), null, "it was altered");
    }
    return file;
  }

  /** The disk that has a content; the worker's own if none has it. */
  CacheDirectory diskOf(CacheKey key) {
    if (Files.notExists(space.content(key))) {
      for (CacheDirectory other : otherDisks) {
        if (Files.exists(other.content(key))) {
          return other;
        }
      }
    }
    return space;
  }

  /**
   * Copies a file that is on another disk of this node, and compares it with its checksum.
   *
   * @param target a new file, which becomes read-only; it exists only when it was copied
   * @return empty when no other disk has it unaltered, or it cannot be copied
   * @throws IOException when the thread is interrupted, or a partial copy cannot be removed
   */
  Optional<Fetched> copyFromOtherDisk(CacheKey key, long crc32c, Path target) throws IOException {
    if (diskOf(key) == space) {
      return Optional.empty();
    }
    CRC32C crc = new CRC32C();
    try (InputStream in = Files.newInputStream(find(key));
        OutputStream out = new CheckedOutputStream(LocalFiles.createReadOnly(target), crc)) {
      in.transferTo(out);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (NoSuchFileException e) {
      LOG.debug("{} is not on another disk any more", key, e);
    } catch (IOException e) {
      LOG.warn("Cannot copy {} from another disk", key, e);
      Files.deleteIfExists(target);
      return Optional.empty();
    }
    if (Checksum.of(crc) == crc32c && Files.exists(target)) {
      // Shows later writes, as the time of a link does.
      Files.setLastModifiedTime(target, FileTime.fromMillis(key.modifiedMillis()));
      return Optional.of(Fetched.cached(key.length(), crc32c));
    }
    Files.deleteIfExists(target);
    return Optional.empty();
  }

  /** Removes a file, and copies of it on other disks. */
  void drop(CacheKey key) {
    space.drop(key);
    otherDisks.forEach(disk -> disk.drop(key));
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
