package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the NameNode's own state. It tries the lock of the inode tree but never queues for it.
 *
 * <p>Hadoop gives a policy no access to its namesystem. The cluster statistics that it passes are
 * an inner object of the class that has it. The fields are found by type, because their names may
 * change.
 */
@NullMarked
final class NamesystemReader {
  private static final Logger LOG = LoggerFactory.getLogger(NamesystemReader.class);

  private final @Nullable FSNamesystem system;
  private final @Nullable Lock lock;

  private NamesystemReader(@Nullable FSNamesystem system, @Nullable Lock lock) {
    this.system = system;
    this.lock = lock;
  }

  /**
   * Creates a reader for the NameNode of the given statistics; one that finds nothing if it cannot
   * be reached.
   */
  static NamesystemReader of(@Nullable FSClusterStats stats) {
    FSNamesystem system = null;
    try {
      Object manager = stats == null ? null : fieldOf(stats, DatanodeManager.class);
      if (manager != null && fieldOf(manager, Namesystem.class) instanceof FSNamesystem found) {
        system = found;
        return new NamesystemReader(found, found.getFsLockForTests().readLock());
      }
      if (stats != null) {
        LOG.info("Files cannot be read here; scattered files are placed by stock HDFS");
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // A NameNode with fine-grained locks refuses to expose them.
      LOG.warn("Files cannot be read; scattered files are placed by stock HDFS", e);
    }
    return new NamesystemReader(system, null);
  }

  /** Whether files can ever be read. */
  boolean canRead() {
    return lock != null;
  }

  /** The number of blocks with too few replicas, as of the last seconds. */
  long lowRedundancyBlocks() {
    return system == null ? 0 : system.getBlockManager().getLowRedundancyBlocksCount();
  }

  /** Reads files under the lock; null if the lock is not free. */
  <T> @Nullable T tryRead(Function<FSNamesystem, T> reader) {
    if (system == null || lock == null || !lock.tryLock()) {
      return null;
    }
    try {
      return reader.apply(system);
    } finally {
      lock.unlock();
    }
  }

  /** Looks up the file of a name; null if the lock is not free. */
  @Nullable Found tryFind(String src) {
    return tryRead(system -> new Found(openFile(system, src)));
  }

  /**
   * The result of a lookup.
   *
   * @param openFile null if no file of that name is being written
   */
  record Found(@Nullable INodeFile openFile) {}

  private static @Nullable INodeFile openFile(FSNamesystem system, String src) {
    try {
      // A client that has renamed the file meanwhile still uses the old name.
      return system.getFSDirectory().resolvePath(null, src, FSDirectory.DirOp.READ).getLastINode()
                  instanceof INodeFile file
              && file.isUnderConstruction()
          ? file
          : null;
    } catch (IOException e) {
      LOG.debug("Cannot find {}", src, e);
      return null;
    }
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
