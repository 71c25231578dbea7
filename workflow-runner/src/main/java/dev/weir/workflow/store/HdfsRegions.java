package dev.weir.workflow.store;

import dev.weir.workflow.hdfs.BulkLookup;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.transfer.CountedCopy;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.InputTooShortException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Regions of files in HDFS: read without what is beside them, and joined without moving them. */
final class HdfsRegions {
  /** What is asked of a DataNode at once; a stream would be sent all up to the block's end. */
  private static final int CHUNK_BYTES = 2 << 20;

  private static final int BUFFER_BYTES = 4096;

  private final DistributedFileSystem fs;
  private final BulkLookup lookup;
  private final String node;

  /**
   * Regions of a file system.
   *
   * @param lookup finds files of it
   * @param node host name of this node's DataNode
   */
  HdfsRegions(DistributedFileSystem fs, BulkLookup lookup, String node) {
    this.fs = fs;
    this.lookup = lookup;
    this.node = node;
  }

  /**
   * Copies a region.
   *
   * @throws InputTooShortException when the file ends before the region does
   */
  Fetched read(FileSlot slot, Path path, OutputStream out) throws IOException {
    byte[] buffer = new byte[(int) Math.min(CHUNK_BYTES, slot.sizeBytes())];
    long end = slot.offset() + slot.sizeBytes();
    long at = slot.offset();
    try (FSDataInputStream in = fs.open(path)) {
      BlockLocation[] blocks = fs.getFileBlockLocations(path, at, slot.sizeBytes());
      CountedCopy copy = new CountedCopy(out);
      for (BlockLocation block : blocks) {
        // A read goes to the own node whenever that has the block and answers.
        boolean local = List.of(block.getHosts()).contains(node);
        long last = Math.min(end, block.getOffset() + block.getLength());
        while (at < last) {
          int length = (int) Math.min(buffer.length, last - at);
          in.readFully(at, buffer, 0, length);
          copy.add(buffer, length, local);
          at += length;
        }
      }
      if (at < end) {
        throw new InputTooShortException(
            path + " ends at byte " + at + ", before its region " + slot.name() + " does");
      }
      return copy.fetched();
    }
  }

  List<BlockExtent> extents(Path path) throws IOException {
    List<BlockExtent> extents = new ArrayList<>();
    for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
      extents.add(new BlockExtent(block.getOffset(), block.getLength(), List.of(block.getHosts())));
    }
    return extents;
  }

  /**
   * Joins files by {@code concat}, which wants them in one directory, none of them empty, and
   * blocks no larger than the target's. A target that an earlier call has completed is not made
   * anew: should that call's {@code concat} still be on its way, it would take with it what the
   * regions were joined to.
   *
   * @return those that are not there; when there are any nothing is done
   */
  List<String> join(List<String> regions, String target) throws IOException {
    List<String> asked = new ArrayList<>(regions);
    asked.add(target);
    Map<String, HdfsLocatedFileStatus> there = lookup.find(asked);
    List<String> missing = regions.stream().filter(path -> !there.containsKey(path)).toList();
    if (missing.isEmpty()) {
      HdfsLocatedFileStatus before = there.remove(target);
      Path joined = HdfsDataStore.hdfsPath(target);
      if (before == null || before.getLocatedBlocks().isUnderConstruction()) {
        long largest = 1;
        for (HdfsLocatedFileStatus region : there.values()) {
          largest = Math.max(largest, region.getBlockSize());
        }
        createEmpty(joined, largest);
      }
      fs.concat(joined, regions.stream().map(HdfsDataStore::hdfsPath).toArray(Path[]::new));
    }
    return missing;
  }

  private void createEmpty(Path file, long blockSize) throws IOException {
    fs.create(
            file,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            BUFFER_BYTES,
            fs.getDefaultReplication(file),
            blockSize,
            null,
            (Options.ChecksumOpt) null)
        .close();
  }
}
