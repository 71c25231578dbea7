package dev.weir.workflow.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps small useless files of attempts in a directory instead of deleting them, up to a limit;
 * YARN removes them with the container. On ext4 creating a file takes thirty times longer while
 * many others were deleted within the last minutes, because it skips the inode of each
 * (docs/benchmarks-runner.md). Thread-safe.
 */
public final class DiscardedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DiscardedFiles.class);

  /**
   * Larger files are deleted to free their space. Links are deleted because the link count of a
   * shared file is checked.
   */
  private static final long TINY_BYTES = 64 << 10;

  private static final int MAX_ENTRIES = 30_000;
  private static final long MAX_BYTES = 256 << 20;
  private static final int MAX_LOGS = 16;

  private final Path place;
  private final AtomicInteger entryCount = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong nextName = new AtomicLong();
  private final Deque<File> logs = new ConcurrentLinkedDeque<>();

  public DiscardedFiles(Path directory) {
    this.place = directory;
  }

  /**
   * Moves a directory here, after deleting the large files in it.
   *
   * @return whether it was moved; if not, the caller must delete it
   */
  boolean add(Path directory) {
    if (entryCount.get() >= MAX_ENTRIES || bytes.get() >= MAX_BYTES) {
      return false;
    }
    try {
      LargeFileRemover remaining = deleteLarge(directory);
      File to = place.resolve(Long.toString(nextName.incrementAndGet())).toFile();
      boolean moved = directory.toFile().renameTo(to);
      if (!moved) {
        Files.createDirectories(place);
        moved = directory.toFile().renameTo(to);
      }
      if (moved) {
        entryCount.addAndGet(remaining.entries);
        bytes.addAndGet(remaining.bytes);
      }
      return moved;
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot discard {}", directory, e);
      return false;
    }
  }

  private static LargeFileRemover deleteLarge(Path directory) throws IOException {
    LargeFileRemover remaining = new LargeFileRemover();
    Files.walkFileTree(directory, remaining);
    return remaining;
  }

  /** Deletes large files and links, and counts the rest. */
  private static final class LargeFileRemover extends SimpleFileVisitor<Path> {

    private int entries;
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.size() > TINY_BYTES || !LocalFiles.facts(file).isAlone()) {
        Files.delete(file);
      } else {
        entries++;
        bytes += attributes.size();
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException problem)
        throws IOException {
      entries++;
      return super.postVisitDirectory(inner, problem);
    }
  }

  /** Deletes all discarded files to free their space. */
  public void clear() {
    try {
      Sandbox.delete(place);
      entryCount.set(0);
      bytes.set(0);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}", place, e);
    }
  }

  /** Moves an unused empty log to this path, if there is one. */
  public void reuseLog(Path log) {
    // The path may belong to an earlier attempt of this name; it must not be given to others from
    // now on.
    boolean unused = logs.remove(log.toFile());
    File used = logs.pollFirst();
    if (used != null && !used.renameTo(log.toFile())) {
      LOG.debug("Cannot reuse the log {}", used);
    }
  }

  /** Takes a log back if it is empty: thousands of empty logs would hide the others. */
  public void discardLog(Path log) {
    File file = log.toFile();
    if (file.length() == 0) {
      if (logs.size() < MAX_LOGS && file.exists()) {
        logs.addFirst(file);
      } else {
        // False when there is none, which is fine.
        boolean unused = file.delete();
      }
    }
  }
}
