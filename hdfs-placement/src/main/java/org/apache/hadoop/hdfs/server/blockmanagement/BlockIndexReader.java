package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which block of its file the next one will be, read in the NameNode's own tree of files.
 *
 * <p>The lock of that tree is tried and never queued for: a try that comes while somebody writes is
 * repeated for {@value #PAUSES} short pauses at most and then given up. The caller is about to need
 * the same lock itself, so what it waits here it does not wait there. What is read is what the
 * client has just been checked against, for only the holder of the file's lease adds blocks.
 *
 * <p>A file that was found once is remembered, and then its blocks are counted without the lock:
 * the caller's thread has held it since the last of them was added.
 *
 * <p>Hadoop gives a policy no way to its namesystem. The statistics that it does give are an inner
 * object of the one that holds it; the fields are looked for by their types, for their names are
 * nobody's promise.
 */
@NullMarked
final class BlockIndexReader {
  private static final Logger LOG = LoggerFactory.getLogger(BlockIndexReader.class);

  private static final int SPINS = 200;
  private static final int PAUSES = 20;
  private static final long PAUSE_NANOS = 100_000;

  /** How many files are remembered at most; one more takes the place of another. */
  private static final int PLACES = 1024;

  private final @Nullable FSDirectory files;
  private final Lock lock;
  private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(PLACES);

  private BlockIndexReader(@Nullable FSDirectory files, ReentrantReadWriteLock lock) {
    this.files = files;
    this.lock = lock.readLock();
  }

  /** The files of the NameNode whose statistics these are; none when they cannot be reached. */
  static BlockIndexReader of(@Nullable FSClusterStats stats) {
    try {
      Object manager = stats == null ? null : fieldOf(stats, DatanodeManager.class);
      Object system = manager == null ? null : fieldOf(manager, Namesystem.class);
      if (system instanceof FSNamesystem files) {
        return new BlockIndexReader(files.getFSDirectory(), files.getFsLockForTests());
      }
      LOG.info(
          "Which block of its file is placed cannot be known here; scatter is as stock has it");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // A NameNode with locks of a finer grain refuses to show them.
      LOG.warn("Which block of its file is placed cannot be known; scatter is as stock has it", e);
    }
    return new BlockIndexReader(null, new ReentrantReadWriteLock());
  }

  /**
   * The number of the next block, 0 for the first; empty when it cannot be known now.
   *
   * @param src the file's path
   */
  OptionalInt next(String src) {
    int place = Math.floorMod(src.hashCode(), PLACES);
    Known last = known.get(place);
    INodeFile file = last != null && last.path().equals(src) ? last.file().get() : null;
    if (last == null || file == null || !file.isUnderConstruction()) {
      file = find(src);
    } else if (nextOf(file) != last.index() + 1) {
      // The same block again, or another file that has the name now.
      INodeFile present = find(src);
      file = present == null ? file : present;
    }
    if (file == null) {
      return OptionalInt.empty();
    }
    int next = nextOf(file);
    known.set(place, new Known(src, new WeakReference<>(file), next));
    return OptionalInt.of(next);
  }

  /** The file of that name if it is being written; null also when the lock is not to be had. */
  private @Nullable INodeFile find(String src) {
    FSDirectory tree = files;
    for (int i = 0; tree != null && i < SPINS + PAUSES; i++) {
      if (lock.tryLock()) {
        try {
          return findLocked(tree, src);
        } finally {
          lock.unlock();
        }
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return null;
  }

  private static @Nullable INodeFile findLocked(FSDirectory tree, String src) {
    try {
      // A client that has renamed the file since goes on with the old name.
      return tree.resolvePath(null, src, FSDirectory.DirOp.READ).getLastINode()
                  instanceof INodeFile file
              && file.isUnderConstruction()
          ? file
          : null;
    } catch (IOException e) {
      LOG.debug("The blocks of {} cannot be counted", src, e);
      return null;
    }
  }

  private static int nextOf(INodeFile file) {
    return hasBlockWithoutPlace(file) ? file.numBlocks() - 1 : file.numBlocks();
  }

  /** After a failover the client asks again for nodes for a block that has none. */
  private static boolean hasBlockWithoutPlace(INodeFile file) {
    BlockInfo last = file.getLastBlock();
    BlockUnderConstructionFeature open = last == null ? null : last.getUnderConstructionFeature();
    return open != null && open.getNumExpectedLocations() == 0;
  }

  private static @Nullable Object fieldOf(Object owner, Class<?> type)
      throws ReflectiveOperationException {
    for (Field field : owner.getClass().getDeclaredFields()) {
      if (field.getType() == type) {
        field.setAccessible(true);
        return field.get(owner);
      }
    }
    return null;
  }

  /** A file and the number of its block that was asked for last. */
  private record Known(String path, WeakReference<INodeFile> file, int index) {}
}
