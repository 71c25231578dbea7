package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.OptionalInt;
import java.util.concurrent.locks.Lock;
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
 * <p>The lock of that tree is tried, never waited for: whoever wants to write goes first, and a try
 * that comes while somebody writes is repeated a few times and then given up. What is read is what
 * the client has just been checked against, for only the holder of the file's lease adds blocks.
 *
 * <p>Hadoop gives a policy no way to its namesystem. The statistics that it does give are an inner
 * object of the one that holds it; the fields are looked for by their types, for their names are
 * nobody's promise.
 */
@NullMarked
final class FileBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(FileBlocks.class);

  /** Some tens of microseconds, in which most holders of the lock have let go of it. */
  private static final int TRIES = 1_000;

  private final @Nullable FSDirectory files;
  private final Lock lock;

  private FileBlocks(@Nullable FSDirectory files, ReentrantReadWriteLock lock) {
    this.files = files;
    this.lock = lock.readLock();
  }

  /** The files of the NameNode whose statistics these are; none when they cannot be reached. */
  static FileBlocks of(@Nullable FSClusterStats stats) {
    try {
      Object manager = stats == null ? null : fieldOf(stats, DatanodeManager.class);
      Object system = manager == null ? null : fieldOf(manager, Namesystem.class);
      if (system instanceof FSNamesystem files) {
        return new FileBlocks(files.getFSDirectory(), files.getFsLockForTests());
      }
      LOG.info(
          "Which block of its file is placed cannot be known here; scatter is as stock has it");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // A NameNode with locks of a finer grain refuses to show them.
      LOG.warn("Which block of its file is placed cannot be known; scatter is as stock has it", e);
    }
    return new FileBlocks(null, new ReentrantReadWriteLock());
  }

  /**
   * The number of the next block, 0 for the first; empty when it cannot be known now.
   *
   * @param src the file's path
   */
  OptionalInt next(String src) {
    FSDirectory tree = files;
    for (int i = 0; tree != null && i < TRIES; i++) {
      if (lock.tryLock()) {
        try {
          return nextLocked(tree, src);
        } finally {
          lock.unlock();
        }
      }
      Thread.onSpinWait();
    }
    return OptionalInt.empty();
  }

  private static OptionalInt nextLocked(FSDirectory tree, String src) {
    try {
      // A client that has renamed the file since goes on with the old name.
      if (tree.resolvePath(null, src, FSDirectory.DirOp.READ).getLastINode()
              instanceof INodeFile file
          && file.isUnderConstruction()) {
        return OptionalInt.of(hasBlockWithoutPlace(file) ? file.numBlocks() - 1 : file.numBlocks());
      }
    } catch (IOException e) {
      LOG.debug("The blocks of {} cannot be counted", src, e);
    }
    return OptionalInt.empty();
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
}
