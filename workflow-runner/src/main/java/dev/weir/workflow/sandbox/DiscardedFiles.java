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
 * What attempts leave that is small and of no use any more: it is put aside and not deleted, within
 * bounds, and YARN removes it with the container. On ext4 a file is made thirty times slower while
 * those are many that were deleted within the last minutes, for it passes over the places of each
 * (docs/benchmarks-runner.md). Thread-safe.
 */
public final class DiscardedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DiscardedFiles.class);

  /** Larger ones are deleted for their room, links for what their number says of a content. */
  private static final long TINY_BYTES = 64 << 10;

  private static final int MOST = 30_000;
  private static final long MOST_BYTES = 256 << 20;
  private static final int MOST_LOGS = 16;

  private final Path place;
  private final AtomicInteger kept = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong names = new AtomicLong();
  private final Deque<File> logs = new ConcurrentLinkedDeque<>();

  /**
   * None yet.
   *
   * @param place a directory for them, on the disk of the sandboxes; made when it is needed
   */
  public DiscardedFiles(Path place) {
    this.place = place;
  }

  /**
   * Puts a directory aside, without what is large in it.
   *
   * @return whether it is gone from where it was; if not it has to be deleted
   */
  boolean take(Path directory) {
    if (kept.get() >= MOST || bytes.get() >= MOST_BYTES) {
      return false;
    }
    try {
      Tiny left = withoutLarge(directory);
      File to = place.resolve(Long.toString(names.incrementAndGet())).toFile();
      boolean gone = directory.toFile().renameTo(to);
      if (!gone) {
        Files.createDirectories(place);
        gone = directory.toFile().renameTo(to);
      }
      if (gone) {
        kept.addAndGet(left.entries);
        bytes.addAndGet(left.bytes);
      }
      return gone;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} is not put aside", directory, e);
      return false;
    }
  }

  private static Tiny withoutLarge(Path directory) throws IOException {
    Tiny left = new Tiny();
    Files.walkFileTree(directory, left);
    return left;
  }

  /** Deletes what is large or has another name, and counts the rest. */
  private static final class Tiny extends SimpleFileVisitor<Path> {

    private int entries;
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
      if (is.size() > TINY_BYTES || !LocalFiles.facts(file).isAlone()) {
        Files.delete(file);
      } else {
        entries++;
        bytes += is.size();
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

  /** Deletes all that was put aside: somebody wants the room. */
  public void clear() {
    try {
      Sandbox.delete(place);
      kept.set(0);
      bytes.set(0);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}", place, e);
    }
  }

  /** Gives a command an empty log that another has not written to, if there is one. */
  public void giveLog(Path log) {
    // It may be that of an earlier attempt of this name: nobody else is to get it from now on.
    boolean unused = logs.remove(log.toFile());
    File used = logs.pollFirst();
    if (used != null && !used.renameTo(log.toFile())) {
      LOG.debug("{} is gone", used);
    }
  }

  /** Empty logs tell nothing; thousands of them would hide the others. */
  public void takeLog(Path log) {
    File file = log.toFile();
    if (file.length() == 0) {
      if (logs.size() < MOST_LOGS && file.exists()) {
        logs.addFirst(file);
      } else {
        // False when there is none, which is as good.
        boolean unused = file.delete();
      }
    }
  }
}
