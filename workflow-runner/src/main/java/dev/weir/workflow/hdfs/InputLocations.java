package dev.weir.workflow.hdfs;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.staging.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Locates the workflow's inputs by one listing of each directory. */
public final class InputLocations {

  /** Up to this number of files of one directory are looked up one by one. */
  private static final int MAX_SINGLE_LOOKUPS = 4;

  private InputLocations() {}

  /**
   * The location of an input.
   *
   * @param bytesByHost number of bytes on each host that holds some of it
   * @param extents its blocks; empty when no task reads regions of it
   */
  record Location(long bytes, Map<String, Long> bytesByHost, List<BlockExtent> extents) {}

  /** Returns the locations of the inputs that exist. */
  public static List<StoredFile> find(DistributedFileSystem fs, RunPlan plan) throws IOException {
    Map<String, String> ids = new HashMap<>();
    for (DataFile input : plan.workflow().graph().workflowInputs()) {
      ids.put(plan.path(input.id()), input.id());
    }
    Set<String> regionFiles = new HashSet<>();
    regionFiles(plan.workflow()).forEach(id -> regionFiles.add(plan.path(id)));
    List<StoredFile> inputs = new ArrayList<>(ids.size());
    find(
        fs,
        ids.keySet(),
        regionFiles,
        (path, location) ->
            inputs.add(
                new StoredFile(
                    Objects.requireNonNull(ids.get(path)),
                    location.bytes(),
                    location.bytesByHost(),
                    Checksum.UNKNOWN,
                    location.extents())));
    return inputs;
  }

  /** Returns the number of bytes on each host, for each path that is a file. */
  public static Map<String, Map<String, Long>> find(DistributedFileSystem fs, Set<String> paths)
      throws IOException {
    Map<String, Map<String, Long>> places = new HashMap<>();
    find(fs, paths, Set.of(), (path, location) -> places.put(path, location.bytesByHost()));
    return places;
  }

  /** Reports the location of each existing file, one by one, because there may be very many. */
  private static void find(
      DistributedFileSystem fs,
      Set<String> paths,
      Set<String> regionFiles,
      BiConsumer<String, Location> found)
      throws IOException {
    Map<String, List<String>> directories = new HashMap<>();
    for (String path : paths) {
      directories.computeIfAbsent(DataListing.parent(path), parent -> new ArrayList<>()).add(path);
    }
    Wanted wanted = new Wanted(paths, regionFiles, found);
    for (Map.Entry<String, List<String>> directory : directories.entrySet()) {
      List<String> files = directory.getValue();
      // A directory may contain many more files than the wanted ones.
      List<String> listed = files.size() > MAX_SINGLE_LOOKUPS ? List.of(directory.getKey()) : files;
      for (String path : listed) {
        list(fs, new Path(null, null, path), wanted);
      }
    }
  }

  /** Returns the ids of files of which tasks read regions. */
  public static Set<String> regionFiles(Workflow workflow) {
    Set<String> files = new HashSet<>();
    workflow.tasks().forEach(task -> task.regions().forEach(region -> files.add(region.file())));
    return files;
  }

  /** The wanted files, and which of them need their blocks. */
  private record Wanted(
      Set<String> files, Set<String> regionFiles, BiConsumer<String, Location> found) {}

  private static void list(DistributedFileSystem fs, Path path, Wanted wanted) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(path);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        String name = Path.getPathWithoutSchemeAndAuthority(file.getPath()).toString();
        if (file.isFile() && wanted.files().contains(name)) {
          BlockLocation[] blocks = file.getBlockLocations();
          boolean regionFiles = wanted.regionFiles().contains(name);
          wanted
              .found()
              .accept(
                  name,
                  new Location(
                      file.getLen(),
                      bytesByHost(blocks),
                      regionFiles ? extents(blocks) : List.of()));
        }
      }
    } catch (FileNotFoundException e) {
      // Removed since the client checked: the tasks that read it will report this.
    }
  }

  private static List<BlockExtent> extents(BlockLocation... blocks) throws IOException {
    List<BlockExtent> extents = new ArrayList<>();
    for (BlockLocation block : blocks) {
      extents.add(new BlockExtent(block.getOffset(), block.getLength(), List.of(block.getHosts())));
    }
    return extents;
  }

  static Map<String, Long> bytesByHost(BlockLocation... blocks) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (BlockLocation block : blocks) {
      for (String host : block.getHosts()) {
        bytes.merge(host, block.getLength(), Long::sum);
      }
    }
    return bytes;
  }
}
