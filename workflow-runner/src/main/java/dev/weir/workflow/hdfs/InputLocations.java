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

/** Where the workflow's inputs are, by one listing for each directory. */
public final class InputLocations {

  /** Files of one directory up to this number are asked for one by one. */
  private static final int SINGLY = 4;

  private InputLocations() {}

  /**
   * Where an input is.
   *
   * @param bytes its length
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param extents its blocks; empty when nobody reads regions of it
   */
  record Where(long bytes, Map<String, Long> bytesByHost, List<BlockExtent> extents) {}

  /** Where each input is that is there. */
  public static List<StoredFile> find(DistributedFileSystem fs, RunPlan plan) throws IOException {
    Map<String, String> ids = new HashMap<>();
    for (DataFile input : plan.workflow().graph().workflowInputs()) {
      ids.put(plan.path(input.id()), input.id());
    }
    Set<String> inRegions = new HashSet<>();
    inRegions(plan.workflow()).forEach(id -> inRegions.add(plan.path(id)));
    List<StoredFile> inputs = new ArrayList<>(ids.size());
    find(
        fs,
        ids.keySet(),
        inRegions,
        (path, where) ->
            inputs.add(
                new StoredFile(
                    Objects.requireNonNull(ids.get(path)),
                    where.bytes(),
                    where.bytesByHost(),
                    Checksum.UNKNOWN,
                    where.extents())));
    return inputs;
  }

  /** For each of these paths that is a file, the bytes of each host. */
  public static Map<String, Map<String, Long>> find(DistributedFileSystem fs, Set<String> paths)
      throws IOException {
    Map<String, Map<String, Long>> places = new HashMap<>();
    find(fs, paths, Set.of(), (path, where) -> places.put(path, where.bytesByHost()));
    return places;
  }

  /** Says of each file that is there where it is, one by one: there may be very many. */
  private static void find(
      DistributedFileSystem fs,
      Set<String> paths,
      Set<String> inRegions,
      BiConsumer<String, Where> found)
      throws IOException {
    Map<String, List<String>> directories = new HashMap<>();
    for (String path : paths) {
      directories.computeIfAbsent(DataListing.parent(path), parent -> new ArrayList<>()).add(path);
    }
    Wanted wanted = new Wanted(paths, inRegions, found);
    for (Map.Entry<String, List<String>> directory : directories.entrySet()) {
      List<String> there = directory.getValue();
      // A directory may hold many more than are asked for.
      List<String> listed = there.size() > SINGLY ? List.of(directory.getKey()) : there;
      for (String path : listed) {
        list(fs, new Path(null, null, path), wanted);
      }
    }
  }

  /** Ids of the files of which tasks read regions. */
  public static Set<String> inRegions(Workflow workflow) {
    Set<String> files = new HashSet<>();
    workflow.tasks().forEach(task -> task.regions().forEach(region -> files.add(region.file())));
    return files;
  }

  /** Files that are looked for, and of which of all files the blocks are. */
  private record Wanted(
      Set<String> files, Set<String> inRegions, BiConsumer<String, Where> found) {}

  private static void list(DistributedFileSystem fs, Path path, Wanted wanted) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(path);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        String name = Path.getPathWithoutSchemeAndAuthority(file.getPath()).toString();
        if (file.isFile() && wanted.files().contains(name)) {
          BlockLocation[] blocks = file.getBlockLocations();
          boolean inRegions = wanted.inRegions().contains(name);
          wanted
              .found()
              .accept(
                  name,
                  new Where(
                      file.getLen(), bytesByHost(blocks), inRegions ? extents(blocks) : List.of()));
        }
      }
    } catch (FileNotFoundException e) {
      // Gone since the client looked: the tasks that read from it will say so.
    }
  }

  private static List<BlockExtent> extents(BlockLocation... blocks) throws IOException {
    List<BlockExtent> extents = new ArrayList<>();
    for (BlockLocation block : blocks) {
      extents.add(new BlockExtent(block.getOffset(), block.getLength(), List.of(block.getHosts())));
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
