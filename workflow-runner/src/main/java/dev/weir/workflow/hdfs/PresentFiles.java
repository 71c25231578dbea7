package dev.weir.workflow.hdfs;

import dev.weir.workflow.reuse.FileVersion;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

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
    return find(InputLocations::bytesByHost);
  }

  /** Does the same without the hosts, which would take most of the memory with very many files. */
  public Map<String, PresentFile> allWithoutHosts() throws IOException {
    return find(file -> Map.of());
  }

  private Map<String, PresentFile> find(Function<HdfsLocatedFileStatus, Map<String, Long>> places)
      throws IOException {
    Map<String, String> ids = new HashMap<>();
    plan.workflow().files().keySet().forEach(id -> ids.put(plan.path(id), id));
    Map<String, PresentFile> present = new HashMap<>();
    new BulkLookup(fs.getClient())
        .find(
            ids.keySet(),
            (path, file) ->
                present.put(
                    Objects.requireNonNull(ids.get(path)),
                    new PresentFile(file.getLen(), FileVersion.of(file), places.apply(file))));
    return present;
  }
}
