package dev.weir.workflow.hdfs;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.reuse.FileVersion;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/** Finds the files of a workflow that exist in HDFS, with their locations. */
public final class PresentFiles {

  private final DistributedFileSystem fs;
  private final RunPlan plan;

  public PresentFiles(DistributedFileSystem fs, RunPlan plan) {
    this.fs = fs;
    this.plan = plan;
  }

  /** Returns the existing files, by id. */
  public Map<String, PresentFile> all() throws IOException {
    return find(file -> InputLocations.bytesByHost(file.getBlockLocations()));
  }

  /** Does the same without the hosts, which would take most of the memory with very many files. */
  public Map<String, PresentFile> allWithoutHosts() throws IOException {
    return find(file -> Map.of());
  }

  private Map<String, PresentFile> find(
      FunctionRaisingIOE<LocatedFileStatus, Map<String, Long>> places) throws IOException {
    Map<String, DataFile> files = plan.workflow().files();
    Map<String, PresentFile> present = new HashMap<>();
    DataListing.<LocatedFileStatus>search(
        plan,
        files.keySet(),
        fs::listLocatedStatus,
        (id, file) -> {
          DataFile known = files.get(id);
          if (known != null && file.isFile()) {
            present.put(
                known.id(),
                new PresentFile(file.getLen(), FileVersion.of(file), places.apply(file)));
          }
        });
    return present;
  }
}
