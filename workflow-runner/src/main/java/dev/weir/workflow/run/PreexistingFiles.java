package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.DataListing;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds which of a run's files exist when it begins. They belong to the user and are never deleted,
 * even if the run writes them again.
 */
final class PreexistingFiles {

  private static final Logger LOG = LoggerFactory.getLogger(PreexistingFiles.class);

  private PreexistingFiles() {}

  /**
   * Finds the files.
   *
   * @param ids of the files to check
   * @return the ids of existing files; all ids when HDFS cannot be read
   */
  static List<String> of(DistributedFileSystem fs, RunPlan plan, Collection<String> ids) {
    try {
      List<String> found = new ArrayList<>();
      DataListing.<FileStatus>search(
          plan, new HashSet<>(ids), fs::listStatusIterator, (id, status) -> found.add(id));
      return found;
    } catch (IOException e) {
      LOG.warn("Cannot list {}: nothing is deleted", plan.dataDir(), e);
      return List.copyOf(ids);
    }
  }
}
