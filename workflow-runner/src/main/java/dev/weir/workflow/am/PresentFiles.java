package dev.weir.workflow.am;

import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.reuse.Stamp;
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

/** The files of a workflow that are in HDFS, by one listing for each directory. */
final class PresentFiles {

  private final DistributedFileSystem fs;
  private final RunPlan plan;

  PresentFiles(DistributedFileSystem fs, RunPlan plan) {
    this.fs = fs;
    this.plan = plan;
  }

  /** Each that is there, by id. */
  Map<String, PresentFile> all() throws IOException {
    Map<Path, String> wanted = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (String id : plan.workflow().files().keySet()) {
      Path path = new Path(null, null, plan.path(id));
      wanted.put(path, id);
      directories.add(path.getParent());
    }
    Map<String, PresentFile> present = new HashMap<>();
    for (Path directory : directories) {
      try {
        RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(directory);
        while (files.hasNext()) {
          LocatedFileStatus file = files.next();
          String id = wanted.get(Path.getPathWithoutSchemeAndAuthority(file.getPath()));
          if (id != null && file.isFile()) {
            present.put(id, new PresentFile(file.getLen(), Stamp.of(file), bytesByHost(file)));
          }
        }
      } catch (FileNotFoundException e) {
        // Nothing was ever written there.
      }
    }
    return present;
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
