package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.StoredOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes outputs between tasks of a node through its cache. A committed output is renamed into the
 * cache, and from there to its only reader. An output with several readers is linked like a fetched
 * content. The store has all outputs too, so a failure here fails no task. Thread-safe.
 */
final class LocalOutputs {

  private static final Logger LOG = LoggerFactory.getLogger(LocalOutputs.class);

  /**
   * An output counts as used this much earlier until a task of this node reads it, so unread
   * outputs are evicted before fetched contents.
   */
  private static final long UNREAD_MILLIS = TimeUnit.DAYS.toMillis(365);

  private final CacheDirectory space;
  private final Clock clock;

  LocalOutputs(CacheDirectory space, Clock clock) {
    this.space = space;
    this.clock = clock;
  }

  /**
   * Moves an output into the cache, if there is room and it is unaltered. Does not wait for
   * fetches.
   *
   * @return whether the cache has it now
   */
  boolean keep(CacheKey key, StoredOutput made) {
    // A file with a second hard link, or of another user, stays where it is.
    if (key.length() != made.facts().bytes()
        || !made.facts().isAlone()
        || Thread.currentThread().isInterrupted()) {
      return false;
    }
    try {
      return space.locks().ifFree(key.lock(), () -> move(key, made))
          && Files.exists(space.content(key));
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot keep {} in the cache of this node", made.path(), e);
      return false;
    }
  }

  private boolean move(CacheKey key, StoredOutput made) throws IOException {
    if (Files.exists(space.content(key)) || Files.exists(space.spoiled(key))) {
      return false;
    }
    Optional<Path> room = space.reserveMade(key);
    if (room.isEmpty()) {
      return false;
    }
    boolean kept = false;
    try {
      Path part = room.get();
      Files.move(made.file(), part, StandardCopyOption.ATOMIC_MOVE);
      LocalFiles.setReadOnly(part);
      // As late as possible: from here on the modification time shows later writes.
      if (isAsStored(LocalFiles.facts(part), made.facts())) {
        Files.setLastModifiedTime(part, FileTime.fromMillis(key.modifiedMillis()));
        Path note = space.note(key);
        Files.writeString(
            note, new CachedContentMetadata(made.stored().crc32c(), true).text(), UTF_8);
        Files.setLastModifiedTime(note, FileTime.fromMillis(clock.millis() - UNREAD_MILLIS));
        space.publish(key);
        kept = true;
      }
    } finally {
      if (!kept) {
        space.giveBack(key);
      }
    }
    return kept;
  }

  /** A process that the command left running may still write to open files. */
  private static boolean isAsStored(Facts now, Facts then) {
    return now.inode() == then.inode()
        && now.bytes() == then.bytes()
        && now.modified().equals(then.modified())
        && now.isAlone();
  }

  /**
   * Moves a content to the only task that reads it.
   *
   * @param target a file that does not exist yet, in a directory that does
   * @return what was moved; empty when the content is not cached, or is shared
   * @throws InterruptedIOException when the thread is interrupted
   */
  Optional<Fetched> take(CacheKey key, Path target) throws IOException {
    if (Files.notExists(space.content(key)) || Files.exists(space.spoiled(key))) {
      return Optional.empty();
    }
    try {
      CachedContentMetadata note =
          CachedContentMetadata.parse(Files.readString(space.note(key), UTF_8));
      if (!LocalFiles.facts(space.content(key)).isAlone()) {
        return Optional.empty();
      }
      space.take(key, target);
      if (space.isWhole(key, target)) {
        return Optional.of(Fetched.cached(key.length(), note.crc32c()));
      }
      LOG.warn("{} was altered in the cache of this node: fetching it", key);
    } catch (NoSuchFileException e) {
      LOG.debug("{} was evicted just now", key, e);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot move {} to the sandbox, which may be on another disk", key, e);
    }
    Files.deleteIfExists(target);
    return Optional.empty();
  }

  /** Whether the cache has a content that a task of this node wrote. */
  boolean isOf(CacheKey key) {
    try {
      return CachedContentMetadata.parse(Files.readString(space.note(key), UTF_8)).made();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot read the note of {}", key, e);
      return false;
    }
  }
}
