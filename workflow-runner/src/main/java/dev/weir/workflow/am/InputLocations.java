package dev.weir.workflow.am;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.run.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
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

  /** For each input that is there, the bytes of each host. */
  static Map<String, Map<String, Long>> find(DistributedFileSystem fs, RunPlan plan)
      throws IOException {
    Map<Path, String> wanted = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (DataFile input : plan.workflow().graph().workflowInputs()) {
      Path path = new Path(null, null, plan.path(input.id()));
      wanted.put(path, input.id());
      directories.add(path.getParent());
    }
    Map<String, Map<String, Long>> places = new HashMap<>();
    for (Path directory : directories) {
      try {
        RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(directory);
        while (files.hasNext()) {
          LocatedFileStatus file = files.next();
          String id = wanted.get(Path.getPathWithoutSchemeAndAuthority(file.getPath()));
          if (id != null && file.isFile()) {
            places.put(id, bytesByHost(file));
          }
        }
      } catch (FileNotFoundException e) {
        // Gone since the client looked: the tasks that read from it will say so.
      }
    }
    return places;
  }

  private static Map<String, Long> bytesByHost(LocatedFileStatus file) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (BlockLocation block : file.getBlockLocations()) {
      for (String host : block.getHosts()) {
        bytes.merge(host, block.getLength(), Long::sum);
      }
    }
    return bytes;
  }
}
