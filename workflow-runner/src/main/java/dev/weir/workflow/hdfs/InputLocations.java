package dev.weir.workflow.hdfs;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Locates inputs in HDFS. */
public final class InputLocations {

  private InputLocations() {}

  /** Returns the locations of the workflow's inputs that exist. */
  public static List<StoredFile> find(DistributedFileSystem fs, RunPlan plan) throws IOException {
    Map<String, String> ids = new HashMap<>();
    for (DataFile input : plan.workflow().graph().workflowInputs()) {
      ids.put(plan.path(input.id()), input.id());
    }
    Set<String> regionFiles = regionFiles(plan.workflow());
    List<StoredFile> inputs = new ArrayList<>(ids.size());
    new BulkLookup(fs.getClient())
        .find(
            ids.keySet(),
            (path, file) -> {
              String id = Objects.requireNonNull(ids.get(path));
              inputs.add(
                  new StoredFile(
                      id,
                      file.getLen(),
                      bytesByHost(file),
                      Checksum.UNKNOWN,
                      regionFiles.contains(id) ? extents(file) : List.of()));
            });
    return inputs;
  }

  /** Returns the number of bytes on each host, for each path that is a file. */
  public static Map<String, Map<String, Long>> find(DistributedFileSystem fs, Set<String> paths)
      throws IOException {
    Map<String, Map<String, Long>> places = new HashMap<>();
    new BulkLookup(fs.getClient()).find(paths, (path, file) -> places.put(path, bytesByHost(file)));
    return places;
  }

  /** Returns the ids of files of which tasks read regions. */
  public static Set<String> regionFiles(Workflow workflow) {
    Set<String> files = new HashSet<>();
    workflow.tasks().forEach(task -> task.regions().forEach(region -> files.add(region.file())));
    return files;
  }

  private static List<BlockExtent> extents(HdfsLocatedFileStatus file) {
    return file.getLocatedBlocks().getLocatedBlocks().stream()
        .map(
            block ->
                new BlockExtent(
                    block.getStartOffset(),
                    block.getBlockSize(),
                    Arrays.stream(block.getLocations()).map(DatanodeInfo::getHostName).toList()))
        .toList();
  }

  static Map<String, Long> bytesByHost(HdfsLocatedFileStatus file) {
    Map<String, Long> bytes = new HashMap<>();
    for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
      for (DatanodeInfo node : block.getLocations()) {
        bytes.merge(node.getHostName(), block.getBlockSize(), Long::sum);
      }
    }
    return bytes;
  }
}
