package dev.weir.workflow.am;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.run.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Where the workflow's inputs are, by one listing for each directory. */
final class InputLocations {

  private InputLocations() {}

  /**
   * Where an input is.
   *
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param extents its blocks; empty when nobody reads regions of it
   */
  record Where(Map<String, Long> bytesByHost, List<Extent> extents) {}

  /** Where each input is that is there. */
  static Map<String, Where> find(DistributedFileSystem fs, RunPlan plan) throws IOException {
    Map<Path, String> wanted = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (DataFile input : plan.workflow().graph().workflowInputs()) {
      Path path = new Path(null, null, plan.path(input.id()));
      wanted.put(path, input.id());
      directories.add(path.getParent());
    }
    Set<String> inRegions = inRegions(plan.workflow());
    Map<String, Where> places = new HashMap<>();
    for (Path directory : directories) {
      try {
        RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(directory);
        while (files.hasNext()) {
          LocatedFileStatus file = files.next();
          String id = wanted.get(Path.getPathWithoutSchemeAndAuthority(file.getPath()));
          if (id != null && file.isFile()) {
            BlockLocation[] blocks = file.getBlockLocations();
            places.put(
                id,
                new Where(
                    bytesByHost(blocks), inRegions.contains(id) ? extents(blocks) : List.of()));
          }
        }
      } catch (FileNotFoundException e) {
        // Gone since the client looked: the tasks that read from it will say so.
      }
    }
    return places;
  }

  /** Ids of the files of which tasks read regions. */
  static Set<String> inRegions(Workflow workflow) {
    Set<String> files = new HashSet<>();
    workflow.tasks().forEach(task -> task.regions().forEach(region -> files.add(region.file())));
    return files;
  }

  private static List<Extent> extents(BlockLocation... blocks) throws IOException {
    List<Extent> extents = new ArrayList<>();
    for (BlockLocation block : blocks) {
      extents.add(new Extent(block.getOffset(), block.getLength(), List.of(block.getHosts())));
    }
    return extents;
  }

  private static Map<String, Long> bytesByHost(BlockLocation... blocks) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (BlockLocation block : blocks) {
      for (String host : block.getHosts()) {
        bytes.merge(host, block.getLength(), Long::sum);
      }
    }
    return bytes;
  }
}
