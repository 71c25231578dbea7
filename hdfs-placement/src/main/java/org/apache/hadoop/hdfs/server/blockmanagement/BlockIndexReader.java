package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.ref.WeakReference;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

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
 */
@NullMarked
final class BlockIndexReader {
  private static final int SPINS = 200;
  private static final int PAUSES = 20;
  private static final long PAUSE_NANOS = 100_000;

  private static final int CACHE_SIZE = 1024;

  private final NamesystemReader files;
  private final AtomicReferenceArray<@Nullable CachedFile> cache =
      new AtomicReferenceArray<>(CACHE_SIZE);

  BlockIndexReader(NamesystemReader files) {
    this.files = files;
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
    for (int i = 0; files.canRead() && i < SPINS + PAUSES; i++) {
      NamesystemReader.Found found = files.tryFind(src);
      if (found != null) {
        return found.openFile();
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return null;
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

  private record CachedFile(String path, WeakReference<INodeFile> file, int index) {}
}
