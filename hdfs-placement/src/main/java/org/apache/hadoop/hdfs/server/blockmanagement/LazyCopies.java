package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.placement.OverdueCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Watches the files that were written with fewer replicas than they should have, and finds those
 * whose copies HDFS has not made in time. Files are known by their inode, so they may be renamed.
 *
 * <p>At most {@value #MAX_FILES} files are watched; beyond that, each new one replaces another. The
 * lock of the inode tree is only tried, once for each new file and each file that may be overdue.
 */
@NullMarked
final class LazyCopies {
  /** Twice the time after which the NameNode repeats a copy that no DataNode has reported. */
  static final Duration LIMIT = Duration.ofMinutes(10);

  private static final int MAX_FILES = 16_384;

  /** The most blocks of a file that are checked, from its end. Blocks are copied in any order. */
  private static final int CHECKED_BLOCKS = 32;

  private final NamesystemReader files;
  private final LongSupplier nanoTime;

  /** When the last block of a file was placed or the file was found open, by inode. */
  private final Map<Long, Long> since = new ConcurrentHashMap<>();

  LazyCopies(NamesystemReader files, LongSupplier nanoTime) {
    this.files = files;
    this.nanoTime = nanoTime;
  }

  /** Watches a file of which a block was placed with fewer replicas than it should have. */
  void watch(String src) {
    NamesystemReader.Found found = files.tryFind(src);
    INodeFile file = found == null ? null : found.openFile();
    if (file == null) {
      return;
    }
    // A full map keeps what it has: the count is a lower bound.
    if (since.size() < MAX_FILES || since.containsKey(file.getId())) {
      since.put(file.getId(), nanoTime.getAsLong());
    }
  }

  /** The watched files that have been closed and lacked copies for longer than the limit. */
  OverdueCopies overdue() {
    long now = nanoTime.getAsLong();
    List<Long> ages = new ArrayList<>();
    since.forEach(
        (inode, time) -> {
          if (now - time >= LIMIT.toNanos() && isLacking(inode, time, now)) {
            ages.add(now - time);
          }
        });
    long oldest = ages.isEmpty() ? 0L : Collections.max(ages);
    return new OverdueCopies(ages.size(), Duration.ofNanos(oldest));
  }

  private boolean isLacking(long inode, long time, long now) {
    State state = state(inode);
    if (state == State.OPEN) {
      since.replace(inode, time, now);
    } else if (state == State.DONE) {
      since.remove(inode, time);
    }
    return state == State.LACKING;
  }

  /** The number of watched files. */
  int size() {
    return since.size();
  }

  private enum State {
    OPEN,
    LACKING,
    /** All blocks have their replicas, or the file was deleted. */
    DONE
  }

  /** The state of a file; null if the lock is not free. */
  private @Nullable State state(long inode) {
    return files.tryRead(system -> state(system, system.getFSDirectory().getInode(inode)));
  }

  private static State state(FSNamesystem system, @Nullable INode inode) {
    if (!(inode instanceof INodeFile file)) {
      return State.DONE;
    }
    if (file.isUnderConstruction()) {
      return State.OPEN;
    }
    BlockInfo[] blocks = file.getBlocks();
    for (int i = blocks.length - 1; i >= Math.max(0, blocks.length - CHECKED_BLOCKS); i--) {
      int live = system.getBlockManager().countNodes(blocks[i]).liveReplicas();
      if (live < blocks[i].getReplication()) {
        return State.LACKING;
      }
    }
    return State.DONE;
  }
}
