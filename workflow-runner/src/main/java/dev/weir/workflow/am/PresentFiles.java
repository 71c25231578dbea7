package dev.weir.workflow.am;

import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.reuse.Stamp;
import dev.weir.workflow.run.RunPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The files of a workflow that are in HDFS, with where they are. */
final class PresentFiles {

  private final DistributedFileSystem fs;
  private final RunPlan plan;

  PresentFiles(DistributedFileSystem fs, RunPlan plan) {
    this.fs = fs;
    this.plan = plan;
  }

  /** Each that is there, by id. */
  Map<String, PresentFile> all() throws IOException {
    Map<String, PresentFile> present = new HashMap<>();
    DataListing.<LocatedFileStatus>search(
        plan,
        plan.workflow().files().keySet(),
        fs::listLocatedStatus,
        (id, file) -> {
          if (file.isFile()) {
            present.put(id, new PresentFile(file.getLen(), Stamp.of(file), bytesByHost(file)));
          }
        });
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
