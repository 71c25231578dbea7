package dev.weir.workflow.infer;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds files that tasks read in adjacent regions of one length. Such a file can be scattered, so
 * that each task finds its whole region on a node of its own.
 *
 * <p>HDFS blocks end at multiples of {@value #CHECKSUM} bytes. A region of another length is
 * rounded up. The rounding shifts the last region most. As long as that shift is small relative to
 * a region, nearly all of each region is local to its reader.
 */
final class RegionReads {
  /** A block's size is a multiple of this, in HDFS's default configuration. */
  static final int CHECKSUM = 512;

  /** The smallest block size in HDFS's default configuration. */
  static final long MIN_BLOCK = 1 << 20;

  /** The last region may be shifted by at most one part in this number of a region. */
  private static final int MAX_SHIFT_PARTS = 10;

  private RegionReads() {}

  /**
   * Returns the length of the regions that a file is read in.
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
    return blockLength(length, size);
  }

  private static long blockLength(long length, long size) {
    long rounded = (length + CHECKSUM - 1) / CHECKSUM * CHECKSUM;
    long shift = (rounded - length) * (size / length);
    boolean oneBlock = size <= Math.max(length, MIN_BLOCK);
    return oneBlock || shift > length / MAX_SHIFT_PARTS ? 0 : rounded;
  }
}
