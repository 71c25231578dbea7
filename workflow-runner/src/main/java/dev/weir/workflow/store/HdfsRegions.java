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

/**
 * Reads regions of files in HDFS without the bytes around them, and joins them without moving them.
 */
final class HdfsRegions {
  /**
   * Size of a request to a DataNode; a stream would be sent everything up to the end of the block.
   */
  private static final int CHUNK_BYTES = 2 << 20;

  private static final int BUFFER_BYTES = 4096;

  private final DistributedFileSystem fs;
  private final BulkLookup lookup;
  private final String node;

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
    long position = slot.offset();
    try (FSDataInputStream in = fs.open(path)) {
      BlockLocation[] blocks = fs.getFileBlockLocations(path, position, slot.sizeBytes());
      CountedCopy copy = new CountedCopy(out, node);
      for (BlockLocation block : blocks) {
        // The client reads from its own node whenever that has the block and answers.
        List<String> hosts = List.of(block.getHosts());
        String from = hosts.contains(node) || hosts.isEmpty() ? node : hosts.get(0);
        long last = Math.min(end, block.getOffset() + block.getLength());
        while (position < last) {
          int length = (int) Math.min(buffer.length, last - position);
          in.readFully(position, buffer, 0, length);
          copy.add(buffer, length, from);
          position += length;
        }
      }
      if (position < end) {
        throw new InputTooShortException(
            path + " ends at byte " + position + ", before its region " + slot.name() + " does");
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
   * Joins files by {@code concat}, which requires them to be in one directory, not empty, and with
   * blocks no larger than the target's. A complete target of an earlier call is not created again:
   * if that call's {@code concat} is still under way, the new target would delete what the regions
   * were joined to.
   *
   * @return the missing files; when there are any, nothing is done
   */
  List<String> join(List<String> regions, String target) throws IOException {
    List<String> wanted = new ArrayList<>(regions);
    wanted.add(target);
    Map<String, HdfsLocatedFileStatus> found = lookup.find(wanted);
    List<String> missing = regions.stream().filter(path -> !found.containsKey(path)).toList();
    if (missing.isEmpty()) {
      HdfsLocatedFileStatus earlier = found.remove(target);
      Path joined = HdfsDataStore.hdfsPath(target);
      if (earlier == null || earlier.getLocatedBlocks().isUnderConstruction()) {
        long largest = 1;
        for (HdfsLocatedFileStatus region : found.values()) {
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
