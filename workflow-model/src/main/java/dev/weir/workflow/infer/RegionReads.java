package dev.weir.workflow.infer;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Files that tasks read in regions of one length, each beside the next: such a file can be
 * scattered, so that each of them finds its region whole on a node of its own.
 *
 * <p>HDFS's blocks end at multiples of {@value #CHECKSUM}. Regions that do not are taken to be a
 * little longer than they are: as long as what that shifts the last one by is little beside a
 * region, nearly all of each is where its reader is.
 */
final class RegionReads {
  /** A block's size is a multiple of it, unless the cluster is set otherwise. */
  static final int CHECKSUM = 512;

  /** The smallest block, unless the cluster is set otherwise. */
  static final long LEAST_BLOCK = 1 << 20;

  /** The last region may be shifted by this part of a region. */
  private static final int SHIFT = 10;

  private RegionReads() {}

  /**
   * The length of the regions that a file is read in.
   *
   * @return bytes, a multiple of {@value #CHECKSUM}; 0 when the file cannot be scattered
   */
  static long of(WorkflowGraph graph, String fileId) {
    List<Task> readers = graph.consumers(fileId);
    if (readers.size() < 2) {
      return 0;
    }
    TreeSet<FileRegion> regions =
        new TreeSet<>(
            Comparator.comparingLong(FileRegion::offset).thenComparing(FileRegion::length));
    for (Task reader : readers) {
      List<FileRegion> read = reader.regionsOf(fileId);
      if (read.isEmpty()) {
        return 0;
      }
      regions.addAll(read);
    }
    if (regions.size() < 2) {
      return 0;
    }
    long length = regions.first().length();
    long size = graph.file(fileId).sizeBytes();
    for (FileRegion region : regions) {
      boolean whole = region.length() == length || region.end() == size;
      if (!whole || region.length() > length || region.offset() % length != 0) {
        return 0;
      }
    }
    return legal(length, size);
  }

  private static long legal(long length, long size) {
    long rounded = (length + CHECKSUM - 1) / CHECKSUM * CHECKSUM;
    long shift = (rounded - length) * (size / length);
    boolean oneBlock = size <= Math.max(length, LEAST_BLOCK);
    return oneBlock || shift > length / SHIFT ? 0 : rounded;
  }
}
