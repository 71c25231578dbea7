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
 * Reads the index of a file's next block from the NameNode's own inode tree.
 *
 * <p>The reader tries the tree's lock but never queues for it. If a writer holds the lock, the
 * reader retries with at most {@value #PAUSES} short pauses, then gives up. The caller needs the
 * same lock next, so it does not wait longer in total. The NameNode has just checked the client
 * against the same value, because only the holder of the file's lease adds blocks.
 *
 * <p>Found files are cached. Their blocks are then counted without the lock, because the calling
 * thread has held it since the last of them was added.
 *
 * <p>Hadoop gives a policy no access to its namesystem. The cluster statistics that it passes are
 * an inner object of the class that has it. The fields are found by type, because their names may
 * change.
 */
@NullMarked
final class BlockIndexReader {
  private static final Logger LOG = LoggerFactory.getLogger(BlockIndexReader.class);

  private static final int SPINS = 200;
  private static final int PAUSES = 20;
  private static final long PAUSE_NANOS = 100_000;

  /** The most cached files. */
  private static final int CACHE_SIZE = 1024;

  private final @Nullable FSDirectory files;
  private final Lock lock;
  private final AtomicReferenceArray<@Nullable CachedFile> cache =
      new AtomicReferenceArray<>(CACHE_SIZE);

  private BlockIndexReader(@Nullable FSDirectory files, ReentrantReadWriteLock lock) {
    this.files = files;
    this.lock = lock.readLock();
  }

  /**
   * Creates a reader for the NameNode of the given statistics; one without files if they cannot be
   * reached.
   */
  static BlockIndexReader of(@Nullable FSClusterStats stats) {
    try {
      Object manager = stats == null ? null : fieldOf(stats, DatanodeManager.class);
      Object system = manager == null ? null : fieldOf(manager, Namesystem.class);
      if (system instanceof FSNamesystem files) {
        return new BlockIndexReader(files.getFSDirectory(), files.getFsLockForTests());
      }
      LOG.info("Block indices cannot be read here; scattered files are placed by stock HDFS");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // A NameNode with fine-grained locks refuses to expose them.
      LOG.warn("Block indices cannot be read; scattered files are placed by stock HDFS", e);
    }
    return new BlockIndexReader(null, new ReentrantReadWriteLock());
  }

  /**
   * The index of the next block, 0 for the first; empty if it cannot be read now.
   *
   * @param src the file's path
   */
  OptionalInt next(String src) {
    int slot = Math.floorMod(src.hashCode(), CACHE_SIZE);
    CachedFile last = cache.get(slot);
    INodeFile file = last != null && last.path().equals(src) ? last.file().get() : null;
    if (last == null || file == null || !file.isUnderConstruction()) {
      file = find(src);
    } else if (nextIndex(file) != last.index() + 1) {
      // The same block is requested again, or another file has the name now.
      INodeFile present = find(src);
      file = present == null ? file : present;
    }
    if (file == null) {
      return OptionalInt.empty();
    }
    int next = nextIndex(file);
    cache.set(slot, new CachedFile(src, new WeakReference<>(file), next));
    return OptionalInt.of(next);
  }

  /** The file of that name if it is being written; null also if the lock is not available. */
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
      // A client that has renamed the file meanwhile still uses the old name.
      return tree.resolvePath(null, src, FSDirectory.DirOp.READ).getLastINode()
                  instanceof INodeFile file
              && file.isUnderConstruction()
          ? file
          : null;
    } catch (IOException e) {
      LOG.debug("Cannot count the blocks of {}", src, e);
      return null;
    }
  }

  private static int nextIndex(INodeFile file) {
    return lastBlockHasNoTargets(file) ? file.numBlocks() - 1 : file.numBlocks();
  }

  /** After a failover the client asks again for nodes for a block that has none. */
  private static boolean lastBlockHasNoTargets(INodeFile file) {
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

  /** A file and the last requested index. */
  private record CachedFile(String path, WeakReference<INodeFile> file, int index) {}
}
